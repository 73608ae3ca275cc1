// Runs in every document before its own scripts. Says when the page has settled: no change, no request, no short
// timer and no frame under way for a little while, and no navigation begun. It only watches.
(() => {
  if (window.__untrod) return;
  const now = performance.now.bind(performance);
  const later = window.setTimeout.bind(window);
  const SHORT = 400, NESTED = 3, POLL = 3;
  let changed = now(), requests = 0, leaving = false, depth = 0;
  const timers = new Set(), frames = new Set();
  const touch = () => { changed = now(); };

  const watch = () => new MutationObserver(touch).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
  watch();

  // Whether anybody listens for a double-click, or for a mouse that passes by, and whether a style sheet shows
  // something only then. Where nobody does, these actions would do nothing.
  const heard = new Set();
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, ...given) {
    heard.add(kind);
    return listen.call(this, kind, ...given);
  };
  const OVER = ['mouseover', 'mouseenter', 'mousemove', 'pointerover', 'pointerenter', 'pointermove'];
  const SHOWS = ['display', 'visibility', 'opacity', 'height', 'max-height', 'clip', 'clip-path', 'transform', 'left'];
  const showsOnHover = (rules) => Array.from(rules).some((rule) => rule.cssRules && rule.cssRules.length
    ? showsOnHover(rule.cssRules)
    : rule.selectorText && rule.selectorText.includes(':hover')
      && SHOWS.some((name) => rule.style.getPropertyValue(name)));
  const readable = (sheet) => { try { return sheet.cssRules; } catch { return []; /* of another origin */ } };
  let sheets = -1, styled = false;
  const hovers = () => {
    if (sheets !== document.styleSheets.length) {
      sheets = document.styleSheets.length;
      styled = Array.from(document.styleSheets).some((sheet) => showsOnHover(readable(sheet)));
    }
    return styled || OVER.some((kind) => heard.has(kind)) || !!document.querySelector('[onmouseover],[onmouseenter]');
  };
  const doubles = () => heard.has('dblclick') || !!document.querySelector('[ondblclick]');

  // A request is over when its answer has been read: the body may come long after the head.
  const awaited = (begin) => function (...given) {
    requests++;
    return begin.apply(this, given).finally(() => { requests--; touch(); });
  };
  if (window.fetch) {
    window.fetch = awaited(window.fetch);
    for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'formData'])
      Response.prototype[name] = awaited(Response.prototype[name]);
  }
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...given) {
    requests++;
    this.addEventListener('loadend', () => { requests--; touch(); }, { once: true });
    return send.apply(this, given);
  };

  // A timer that sets itself again, as polling does, is not waited for; nor is a frame that asks for the next
  // one, as an animation does.
  const counted = (pending, begin) => (callback, ...given) => {
    if (typeof callback !== 'function' || depth >= NESTED) return begin(callback, ...given);
    const level = depth + 1;
    const id = begin((...args) => {
      pending.delete(id);
      const outer = depth;
      depth = level;
      try { callback.apply(window, args); } finally { depth = outer; touch(); }
    }, ...given);
    pending.add(id);
    return id;
  };
  const counting = counted(timers, later);
  window.setTimeout = (callback, delay, ...given) =>
    ((delay || 0) > SHORT ? later : counting)(callback, delay, ...given);
  window.requestAnimationFrame = counted(frames, window.requestAnimationFrame.bind(window));
  for (const [name, pending] of [['clearTimeout', timers], ['cancelAnimationFrame', frames]]) {
    const cancel = window[name].bind(window);
    window[name] = (id) => { pending.delete(id); cancel(id); };
  }

  if (window.navigation) {
    navigation.addEventListener('navigate', (event) => {
      if (!event.hashChange && !event.downloadRequest && !event.destination.sameDocument) leaving = true;
    });
    for (const end of ['navigateerror', 'navigatesuccess'])
      navigation.addEventListener(end, () => { leaving = false; touch(); });
  }

  // What the page would keep of itself stays out of the way: a reset has to reach all of it.
  if (navigator.serviceWorker) navigator.serviceWorker.register = async () => {};

  // Where the document is older than what was done, its effects may be yet to come: those are waited for from
  // the moment of asking. A new document is itself the effect.
  let parsed = document.readyState === 'loading' ? Infinity : now(), seen = false;
  document.addEventListener('DOMContentLoaded', () => { parsed = now(); }, { once: true });

  const tell = (field) => {
    for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, { bubbles: true, composed: true }));
    return true;
  };
  const inView = (element) => {
    const box = element.getBoundingClientRect();
    const x = box.left + box.width / 2, y = box.top + box.height / 2;
    return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  };
  // An editor that draws its own lines keeps a field that nobody sees, and takes clicks on the lines.
  const belongsToEditor = (field, hit) => {
    const parent = field.parentElement, around = parent && parent.parentElement;
    return field.matches('textarea,input') && around && around !== document.body && around.contains(hit)
      && (parent.clientHeight < 5 || getComputedStyle(field).opacity === '0');
  };
  // From a frame's own corner to the page's.
  const outside = (element, x, y) => {
    let view = element.ownerDocument.defaultView;
    while (view.frameElement) {
      const box = view.frameElement.getBoundingClientRect();
      [x, y, view] = [x + box.left + view.frameElement.clientLeft, y + box.top + view.frameElement.clientTop,
        view.frameElement.ownerDocument.defaultView];
    }
    return [x, y];
  };
  // What has no role, but a pointer that says it can be clicked.
  const KNOWN = 'a,button,input,select,textarea,summary,label,option,[role]', MOST = 3000;
  const point = () => {
    const found = [];
    for (const element of Array.from(document.body ? document.body.querySelectorAll('*') : []).slice(0, MOST)) {
      if (element.closest(KNOWN) || element.querySelector(KNOWN)) continue;
      const pointer = (each) => each && getComputedStyle(each).cursor === 'pointer';
      if ((element.onclick || pointer(element)) && !pointer(element.parentElement) && element.innerText)
        found.push(element);
    }
    window.__untrod.pointed = found;
    return found.map((element) => element.innerText.trim().split('\n')[0].slice(0, 60));
  };

  window.__untrod = {
    pointed: [],
    // Resolves with whether it settled within `patience`, and with what only the page knows. `stays`: a
    // navigation that was begun turned out to be none, a download for one.
    settle: async (quiet, patience, stays) => {
      const begun = now();
      if (stays) leaving = false;
      const busy = () => leaving || requests || timers.size || frames.size || document.readyState === 'loading';
      const left = () => busy() ? POLL : quiet - (now() - Math.max(changed, seen ? begun : parsed));
      let calm = false;
      while (!calm && now() - begun < patience) {
        await new Promise((resolve) => later(resolve, Math.min(Math.ceil(left()), quiet)));
        calm = !busy() && left() <= 0;
      }
      seen = seen || calm;
      const back = !!(window.navigation && navigation.canGoBack);
      return { calm, url: location.href, title: document.title, back, pointed: point(), hovers: hovers(),
        doubles: doubles() };
    },
    // The middle of an element on the page, scrolled into view; null if a click there would not reach it.
    reach: (node) => {
      const element = node.nodeType === 1 ? node : node.parentElement;
      if (!element || !element.isConnected) return null;
      const labels = [...(element.labels || [])];
      for (const target of [element, ...labels]) {
        if (!inView(target)) target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const box = target.getClientRects()[0];
        if (!box || !box.width || !box.height) continue;
        const x = box.left + box.width / 2, y = box.top + box.height / 2;
        const hit = target.getRootNode().elementFromPoint(x, y);
        const label = hit && hit.closest('label');
        if (hit && (target.contains(hit) || (label && labels.includes(label)) || belongsToEditor(target, hit)))
          return outside(target, x, y);
      }
      return null;
    },
    // Fields that cannot be typed into.
    set: (field, value) => {
      const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value');
      if (!setter || field.disabled || field.readOnly) return null;
      field.focus();
      setter.set.call(field, value);
      return tell(field);
    },
    choose: (select, label) => {
      const option = [...(select.options || [])].find((each) => each.label.trim() === label && !each.disabled);
      if (!option || select.disabled) return null;
      select.focus();
      option.selected = true;
      return tell(select);
    },
    clear: async () => {
      for (const storage of ['localStorage', 'sessionStorage'])
        try { window[storage].clear(); } catch { /* an error page has none */ }
    },
  };
})();
