// Runs in every document before its own scripts. Says when the page has settled: no change, no request and no
// short timer under way for a little while, and no navigation begun. It only watches.
(() => {
  if (window.__untrod) return;
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const SHORT = 400, NESTED = 3;
  let changed = now(), requests = 0, leaving = false, depth = 0;
  const timers = new Set();
  const touch = () => { changed = now(); };

  const watch = () => new MutationObserver(touch).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
  watch();

  const fetched = window.fetch;
  if (fetched) window.fetch = function (...given) {
    requests++;
    return fetched.apply(this, given).finally(() => { requests--; touch(); });
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    requests++;
    this.addEventListener('loadend', () => { requests--; touch(); }, { once: true });
    return send.apply(this, given);
  };

  // A timer that sets itself again, as polling does, is not waited for.
  window.setTimeout = function (callback, delay, ...given) {
    if (typeof callback !== 'function' || (delay || 0) > SHORT || depth >= NESTED)
      return later(callback, delay, ...given);
    const level = depth + 1;
    const id = later((...args) => {
      timers.delete(id);
      const outer = depth;
      depth = level;
      try { callback.apply(window, args); } finally { depth = outer; touch(); }
    }, delay, ...given);
    timers.add(id);
    return id;
  };
  const cancel = window.clearTimeout.bind(window);
  window.clearTimeout = (id) => { timers.delete(id); cancel(id); };

  if (window.navigation) {
    navigation.addEventListener('navigate', (event) => {
      if (!event.hashChange && !event.downloadRequest && !event.destination.sameDocument) leaving = true;
    });
    for (const end of ['navigateerror', 'navigatesuccess'])
      navigation.addEventListener(end, () => { leaving = false; touch(); });
  }

  window.__untrod = {
    // Resolves with whether it settled within `patience`, and with what only the page knows. `stays`: a
    // navigation that was begun turned out to be none, a download for one.
    settle: async (quiet, patience, stays) => {
      const begun = now();
      if (stays) leaving = false;
      let calm = false;
      while (!calm && now() - begun < patience) {
        await new Promise((resolve) => later(resolve, 3));
        calm = !leaving && !requests && !timers.size && document.readyState !== 'loading'
          && now() - Math.max(changed, begun) >= quiet;
      }
      const fields = {};
      for (const field of Array.from(document.querySelectorAll('input,textarea')).slice(0, 500)) {
        const at = field.getBoundingClientRect();
        fields[Math.round(at.left) + ',' + Math.round(at.top)] = field.type;
      }
      return { calm, fields, title: document.title, back: !!(window.navigation && navigation.canGoBack) };
    },
    // What is at this point, as far as a click is concerned: 'ok', 'covered' or 'outside'.
    hit: (x, y, role) => {
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return 'outside';
      let element = document.elementFromPoint(x, y);
      while (element && element.shadowRoot && element.shadowRoot.elementFromPoint(x, y)
             && element.shadowRoot.elementFromPoint(x, y) !== element)
        element = element.shadowRoot.elementFromPoint(x, y);
      if (!element) return 'covered';
      const wanted = { button: 'button,input,summary,[role=button]', link: 'a,area,[role=link]',
        textbox: 'input,textarea,[contenteditable],[role=textbox]', searchbox: 'input,[role=searchbox]',
        checkbox: 'input[type=checkbox],[role=checkbox]', radio: 'input[type=radio],[role=radio]' }[role];
      return wanted && element.closest(wanted) ? 'ok' : 'covered';
    },
    clear: async () => {
      for (const storage of ['localStorage', 'sessionStorage'])
        try { window[storage].clear(); } catch { /* an error page has none */ }
    },
  };
})();
