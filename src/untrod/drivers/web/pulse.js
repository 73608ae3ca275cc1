// Runs in every document before its own scripts and in their world, and tells page.js what is under way: requests,
// short timers, frames. Page.js lives in a world of its own, into which no script of the page can reach; here they
// can. So all that is called is bound beforehand, nothing of it has a name that they could look up, and what they
// make of it can at worst let a page seem restless, or settled too early.
((channel) => {
  'use strict';
  const { apply } = Reflect, { defineProperty, getOwnPropertyDescriptor: own } = Object;
  const SHORT = 400, NESTED = 3;
  const bus = performance, Told = CustomEvent, send = EventTarget.prototype.dispatchEvent;
  const listen = EventTarget.prototype.addEventListener, lastly = Promise.prototype.finally;
  const other = own(MouseEvent.prototype, 'relatedTarget').get, refuse = Event.prototype.preventDefault;
  const onclick = own(HTMLElement.prototype, 'onclick').get;
  const tell = (kind, detail) => {
    try { apply(send, bus, [new Told(channel + kind, { __proto__: null, detail })]); } catch { /* then nobody hears */ }
  };

  let requests = 0, waiting = 0, depth = 0;
  const changed = (touched) => tell('pulse', 2 * (requests + waiting) + touched);

  // Whether anybody listens for a double-click, or for a mouse that passes by.
  const HEARD = { __proto__: null, dblclick: 1, mouseover: 1, mouseenter: 1, mousemove: 1, pointerover: 1,
    pointerenter: 1, pointermove: 1 };
  EventTarget.prototype.addEventListener = function addEventListener(kind) {
    if (typeof kind === 'string' && HEARD[kind]) {
      HEARD[kind] = 0;
      tell('heard', kind);
    }
    return apply(listen, this, arguments);
  };
  // Whether a script has given an element something to do when it is clicked: only this world knows.
  apply(listen, bus, [`${channel}asked`, (event) => {
    try { if (apply(onclick, apply(other, event, []), [])) apply(refuse, event, []); } catch { /* no HTML */ }
  }]);

  // A request is over when its answer has been read: the body may come long after the head.
  const awaited = (begin) => function () {
    requests++;
    changed(0);
    return apply(lastly, apply(begin, this, arguments), [() => { requests--; changed(1); }]);
  };
  if (window.fetch) {
    window.fetch = awaited(window.fetch);
    for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'formData'])
      Response.prototype[name] = awaited(Response.prototype[name]);
  }
  const request = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function () {
    const over = () => { requests--; changed(1); };
    requests++;
    changed(0);
    apply(listen, this, ['loadend', over, { __proto__: null, once: true }]);
    return apply(request, this, arguments);
  };

  // A timer that sets itself again, as polling does, is not waited for; nor is a frame that asks for the next
  // one, as an animation does.
  const counted = (pending, begin) => function (callback) {
    if (typeof callback !== 'function' || depth >= NESTED) return apply(begin, window, arguments);
    const level = depth + 1;
    arguments[0] = function () {
      if (pending[id]) { delete pending[id]; waiting--; }
      const outer = depth;
      depth = level;
      try { apply(callback, window, arguments); } finally { depth = outer; changed(1); }
    };
    const id = apply(begin, window, arguments);
    pending[id] = true;
    waiting++;
    changed(0);
    return id;
  };
  const timers = { __proto__: null }, frames = { __proto__: null };
  const later = window.setTimeout, counting = counted(timers, later);
  window.setTimeout = function setTimeout(callback, delay) {
    return apply(delay > SHORT ? later : counting, window, arguments);
  };
  window.requestAnimationFrame = counted(frames, window.requestAnimationFrame);
  for (const [name, pending] of [['clearTimeout', timers], ['cancelAnimationFrame', frames]]) {
    const cancel = window[name];
    window[name] = (id) => {
      if (pending[id]) { delete pending[id]; waiting--; changed(0); }
      apply(cancel, window, [id]);
    };
  }

  // What the page would keep of itself stays out of the way: a reset has to reach all of it.
  if (navigator.serviceWorker)
    defineProperty(navigator.serviceWorker, 'register', { value: async () => {}, configurable: true });
})
