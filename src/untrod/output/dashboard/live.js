"use strict";
// Puts in what has changed, and leaves alone what the reader has done: focus, marks, unfolded parts, scrolling.
{
  const own = document.currentScript.dataset, live = document.getElementById("live");
  const all = (root, what) => [root, ...root.querySelectorAll("*")].filter(each => each.matches(what));
  const reach = "a[href], button, input, summary, [tabindex]";
  const kept = "details, input, .wide, .scroll, .shots, pre";

  // The same element before and after: by the nearest id or part around it, and its place within that.
  const names = (root, what) => {
    const counts = new Map();
    return new Map(all(root, what).map(each => {
      const around = each.closest("[id], [data-part]");
      const stem = (around && (around.id || around.dataset.part)) + " " + each.tagName;
      counts.set(stem, (counts.get(stem) || 0) + 1);
      return [stem + counts.get(stem), each];
    }));
  };

  const swap = (old, html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    const next = template.content.firstElementChild;
    const before = names(old, kept);
    const focused = [...names(old, reach)].find(([, each]) => each === document.activeElement);
    const scrolled = [];
    for (const [name, each] of names(next, kept)) {
      const same = before.get(name);
      if (!same) continue;
      if (each.matches("details")) each.open = same.open;
      else if (each.matches("input")) each.checked = same.checked;
      else scrolled.push([each, same.scrollLeft, same.scrollTop]);
    }
    old.replaceWith(next);
    for (const [each, left, top] of scrolled) each.scrollTo(left, top);
    if (focused) names(next, reach).get(focused[0])?.focus({ preventScroll: true });
  };

  const say = text => { if (live.textContent !== text) live.textContent = text; };
  const address = "/live?of=" + encodeURIComponent(own.of) + "&seen=" + encodeURIComponent(own.seen);
  const hear = message => {
    const told = JSON.parse(message.data);
    if (told.trouble) { source.close(); say(told.trouble); return; }
    document.title = told.title;
    if (told.main) swap(document.querySelector("main"), told.main);
    for (const [name, html] of Object.entries(told.parts || {})) {
      const old = document.querySelector(`[data-part="${CSS.escape(name)}"]`);
      if (old) swap(old, html);
    }
  };

  // A browser opens six connections to a host: pages that nobody sees must not hold them.
  let source;
  const listen = () => {
    source?.close();
    if (document.hidden) return;
    source = new EventSource(address);
    source.onopen = () => say("Live.");
    source.onerror = () => say("Not connected: the dashboard has ended.");
    source.onmessage = hear;
  };
  document.addEventListener("visibilitychange", listen);
  listen();
}
