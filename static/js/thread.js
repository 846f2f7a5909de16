// The thread: it follows what is written, keeps what is read in its place, and copies and reads out what is asked for.
(() => {
  const byId = (id) => document.getElementById(id);
  const scroller = byId("scroller");

  document.addEventListener("click", (event) => {
    const code = event.target.closest("[data-copy]");
    if (code) copyText(code.closest("figure").querySelector("code").textContent, code);
    const message = event.target.closest("[data-copies]");
    if (message) copyFrom(message);
    const long = event.target.closest("[data-unfolds]");
    if (long) long.setAttribute("aria-expanded", long.previousElementSibling.classList.toggle("is-unfolded"));
  });
  async function copyFrom(button) {
    const response = await fetch(button.dataset.copies);
    if (response.ok) copyText(await response.text(), button);
  }
  // Without a secure origin (http on a LAN) there is no clipboard interface; the old command still works.
  async function copyText(value, button) {
    if (navigator.clipboard) await navigator.clipboard.writeText(value);
    else {
      const area = Object.assign(document.createElement("textarea"), { value, className: "visually-hidden" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    byId("announcer").textContent = byId("announcer").dataset.copied;
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), 1500);
  }

  if (!scroller) return;
  const latest = byId("to-latest");
  const busy = () => scroller.querySelector('[aria-busy="true"]');

  // The end stays in sight until the reader scrolls up, be it by a line, and again when the reader is back at it.
  // A scroll is looked for each time: words may come in between it and the browser's event for it.
  let following = true;
  let top = 0;
  let height = 0;
  const isCut = () => scroller.querySelector("[data-later]") !== null;
  const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  function notice() {
    if (distance() < 4) following = !isCut();
    else if (scroller.scrollTop < top && scroller.scrollHeight >= height) following = false;
  }
  function remember() {
    top = scroller.scrollTop;
    height = scroller.scrollHeight;
    latest.hidden = following || (distance() < 80 && !isCut());
  }
  function follow() {
    notice();
    if (following) scroller.scrollTop = scroller.scrollHeight;
    remember();
  }
  function toEnd() {
    scroller.scrollTop = scroller.scrollHeight;
    follow();
  }
  scroller.addEventListener("scroll", () => {
    notice();
    remember();
    const earlier = top < 400 && !following && scroller.querySelector("[data-earlier]:not(.htmx-request)");
    if (earlier) earlier.click();
    const later = distance() < 400 && scroller.querySelector("[data-later]:not(.htmx-request)");
    if (later) later.click();
  }, { passive: true });
  latest.addEventListener("click", () => {
    // Where the page shows only a part of the branch, its end is another page.
    if (isCut()) return location.assign(location.pathname);
    toEnd();
    byId("composer-text")?.focus({ preventScroll: true });
  });
  new ResizeObserver(follow).observe(scroller);
  new MutationObserver(follow).observe(scroller, { childList: true, subtree: true, characterData: true });
  // A page that is opened at a message shows it, marked, and leaves the reader there.
  const sought = byId(byId("thread").dataset.sought);
  if (sought) {
    following = false;
    sought.classList.add("is-sought");
    sought.tabIndex = -1;
    sought.focus({ preventScroll: true });
    sought.scrollIntoView({ block: "center" });
    remember();
  } else toEnd();

  // What a swap must leave as it is: where the reader looks, which folds are open, what has the focus.
  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    const source = ctx?.sourceElement;
    if (!source?.closest?.("#scroller")) return;
    const neighbour = source.matches("[data-earlier]")
      ? source.nextElementSibling
      : source.closest(".thread-later")?.previousElementSibling;
    const anchor = neighbour ?? source.closest(".message");
    ctx.held = {
      anchor: neighbour ? neighbour.id : source.dataset.reads,
      top: anchor?.getBoundingClientRect().top,
      open: [...scroller.querySelectorAll("details[id][open]")].map((each) => each.id),
      focused: document.activeElement,
      fold: document.activeElement.closest("#scroller details[id]")?.id,
    };
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    const source = ctx?.sourceElement;
    const begins = source?.matches?.("#composer-form, .message-form, [data-answers]") && ctx.response?.raw?.ok;
    if (begins) toEnd();
    if (source?.matches?.("[data-deletes]") && ctx.response?.raw?.ok) byId("composer-text")?.focus({ preventScroll: true });
    if (!ctx?.held) return;
    const { anchor, top: before, open, focused, fold } = ctx.held;
    open.forEach((id) => byId(id)?.setAttribute("open", ""));
    if (fold && !focused.isConnected) byId(fold)?.querySelector("summary")?.focus({ preventScroll: true });
    const stays = anchor && byId(anchor);
    if (!stays) return;
    scroller.scrollTop += stays.getBoundingClientRect().top - before;
    following = distance() < 4 && !isCut();
    remember();
    if (!focused.isConnected) stays.querySelector("[data-reads]")?.focus({ preventScroll: true });
  });

  // A lost connection is told and tried again, the first one too, of which htmx takes no further care.
  const isUnreached = (ctx) =>
    ctx?.sourceElement?.matches?.('.message[aria-busy="true"]') && !(ctx.response?.status < 500);
  document.addEventListener("htmx:before:sse:connection", ({ target, detail }) => {
    if (detail.connection.attempt > 0) target.dataset.connection = "lost";
  });
  document.addEventListener("htmx:after:sse:connection", ({ target }) => delete target.dataset?.connection);
  for (const name of ["htmx:error", "htmx:response:error"]) {
    document.addEventListener(name, (event) => isUnreached(event.detail.ctx) && event.stopImmediatePropagation(), true);
  }
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (!isUnreached(ctx)) return;
    ctx.sourceElement.dataset.connection = "lost";
    setTimeout(() => ctx.sourceElement.dispatchEvent(new Event("reconnect")), 2000);
  });
  // htmx gives up a stream that it had to open again with a rejected promise; nothing is wrong then.
  addEventListener("unhandledrejection", (event) => {
    if (event.reason?.name === "AbortError") event.preventDefault();
  });

  // An answer is read out once it is finished, not word by word, and without its tools and code. Where it was
  // stopped or failed, that is said instead.
  const announcer = byId("announcer");
  let awaited = busy()?.id;
  new MutationObserver(() => {
    const current = busy()?.id;
    if (awaited && !current) announce(byId(awaited));
    awaited = current;
  }).observe(scroller, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
  function announce(answer) {
    const note = answer?.querySelector(".message-error, .message-note");
    if (note) {
      // An error is an alert: it has been read out.
      announcer.textContent = note.matches(".message-note") ? note.textContent.trim() : "";
      return;
    }
    const prose = answer?.querySelector(".prose")?.cloneNode(true);
    prose?.querySelectorAll(".tool-call, .code").forEach((each) => each.remove());
    announcer.textContent = `${announcer.dataset.finished} ${(prose?.textContent ?? "").trim().slice(0, 600)}`;
  }
})();
