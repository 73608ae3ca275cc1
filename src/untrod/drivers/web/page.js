// Runs in every document before its own scripts, in a world of its own: it shares the elements with them, and no
// object, so nothing that they replace is replaced here. Says when the page has settled: no change, no request, no
// short timer and no frame under way for a little while (pulse.js tells of those), and no navigation begun. It only
// watches.
((channel) => {
  'use strict';
  if (Object.hasOwn(globalThis, 'untrod')) return;
  const now = performance.now.bind(performance);
  const POLL = 3, LONGEST = 4000;
  let changed = now(), pending = 0, leaving = false;
  const touch = () => { changed = now(); };

  // An element that is called like one of these hides it from whoever asks the document.
  const getter = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.bind(document);
  const bodyOf = getter('body'), titleOf = getter('title'), stateOf = getter('readyState');
  const sheetsOf = getter('styleSheets');
  const find = Document.prototype.querySelector.bind(document);
  const walker = Document.prototype.createTreeWalker.bind(document);
  const all = Document.prototype.getElementsByTagName.bind(document);

  new MutationObserver(touch).observe(document, {
    subtree: true, childList: true, attributes: true, characterData: true });
  performance.addEventListener(`${channel}pulse`, (event) => {
    pending = event.detail >> 1;
    if (event.detail & 1) touch();
  });

  // Whether anybody listens for a double-click, or for a mouse that passes by, and whether a style sheet shows
  // something only then. Where nobody does, these actions would do nothing.
  const heard = new Set();
  performance.addEventListener(`${channel}heard`, (event) => heard.add(event.detail));
  const OVER = ['mouseover', 'mouseenter', 'mousemove', 'pointerover', 'pointerenter', 'pointermove'];
  const SHOWS = ['display', 'visibility', 'opacity', 'height', 'max-height', 'clip', 'clip-path', 'transform', 'left'];
  const showsOnHover = (rules) => Array.from(rules).some((rule) => rule.cssRules && rule.cssRules.length
    ? showsOnHover(rule.cssRules)
    : rule.selectorText && rule.selectorText.includes(':hover')
      && SHOWS.some((name) => rule.style.getPropertyValue(name)));
  const readable = (sheet) => { try { return sheet.cssRules; } catch { return []; /* of another origin */ } };
  let sheets = -1, styled = false;
  const hovers = () => {
    if (sheets !== sheetsOf().length) {
      sheets = sheetsOf().length;
      styled = Array.from(sheetsOf()).some((sheet) => showsOnHover(readable(sheet)));
    }
    return styled || OVER.some((kind) => heard.has(kind)) || !!find('[onmouseover],[onmouseenter]');
  };
  const doubles = () => heard.has('dblclick') || !!find('[ondblclick]');

  if (globalThis.navigation) {
    navigation.addEventListener('navigate', (event) => {
      if (!event.hashChange && !event.downloadRequest && !event.destination.sameDocument) leaving = true;
    });
    for (const end of ['navigateerror', 'navigatesuccess'])
      navigation.addEventListener(end, () => { leaving = false; touch(); });
  }

  // Where the document is older than what was done, its effects may be yet to come: those are waited for from
  // the moment of asking. A new document is itself the effect.
  let parsed = stateOf() === 'loading' ? Infinity : now(), seen = false;
  document.addEventListener('DOMContentLoaded', () => { parsed = now(); }, { once: true });
  const isLoading = () => {
    if (stateOf() === 'loading') return true;
    if (parsed === Infinity) parsed = now();  // document.open() has taken the listener away
    return false;
  };

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
    return field.matches('textarea,input') && around && around !== bodyOf() && around.contains(hit)
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
  // What has no role, but a pointer that says it can be clicked, or something that happens then.
  const KNOWN = 'a,button,input,select,textarea,summary,label,option,[role]', MOST = 3000;
  const answersClicks = (element) => element.hasAttribute('onclick') || !performance.dispatchEvent(
    new MouseEvent(`${channel}asked`, { relatedTarget: element, cancelable: true }));
  const pointer = (element) => element && getComputedStyle(element).cursor === 'pointer';
  const isPointed = (element) => {
    if (element.closest(KNOWN) || element.querySelector(KNOWN) || pointer(element.parentElement)) return false;
    return (pointer(element) || answersClicks(element)) && !!element.innerText;
  };
  let pointed = [];
  const point = () => {
    pointed = [];
    if (!bodyOf()) return [];
    const elements = walker(bodyOf(), NodeFilter.SHOW_ELEMENT);
    for (let number = 0; number < MOST && elements.nextNode(); number++) {
      const element = elements.currentNode;
      try { if (isPointed(element)) pointed.push(element); } catch { /* a form that hides its own functions */ }
    }
    return pointed.map((element) => element.innerText.trim().split('\n')[0].slice(0, 60));
  };
  const guess = (question, otherwise) => { try { return question(); } catch { return otherwise; } };

  globalThis.untrod = {
    pointed: (number) => pointed[number],
    // Resolves with whether it settled within `patience`, and with what only the page knows. `stays`: a
    // navigation that was begun turned out to be none, a download for one. Of more than `most` elements
    // nothing is told but how many there are.
    settle: async (quiet, patience, stays, most) => {
      const begun = now();
      if (stays) leaving = false;
      const busy = () => leaving || pending || isLoading();
      const left = () => busy() ? POLL : quiet - (now() - Math.max(changed, seen ? begun : parsed));
      let calm = false;
      while (!calm && now() - begun < patience) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(Math.ceil(left()), quiet)));
        calm = !busy() && left() <= 0;
      }
      seen = seen || calm;
      const told = { calm, url: location.href.slice(0, LONGEST), title: titleOf().slice(0, LONGEST),
        back: !!(globalThis.navigation && navigation.canGoBack), elements: all('*').length };
      return told.elements > most ? told
        : { ...told, pointed: guess(point, []), hovers: guess(hovers, false), doubles: guess(doubles, false) };
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
        try { globalThis[storage].clear(); } catch { /* an error page has none */ }
    },
  };
})
