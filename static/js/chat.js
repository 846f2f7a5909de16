// The chat page: what the composer, the scrolling thread and the copy buttons do by themselves.
(() => {
  const byId = (id) => document.getElementById(id);
  const text = byId("composer-text");
  const form = text?.form;
  const scroller = byId("scroller");
  const thread = () => byId("thread");
  const busy = () => thread()?.querySelector('[aria-busy="true"]');

  // Composer: Enter sends, but never while an input method composes (Safari says so by keyCode 229 alone).
  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight}px`;
  }
  let composing = false;
  text?.addEventListener("compositionstart", () => (composing = true));
  text?.addEventListener("compositionend", () => setTimeout(() => (composing = false)));
  text?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    if (event.isComposing || event.keyCode === 229 || composing) return;
    event.preventDefault();
    if (text.value.trim() && !busy()) form.requestSubmit();
  });

  // A draft stays with its conversation until it is sent.
  const draftKey = text && `xiajiao-draft-${text.dataset.draft}`;
  const drafts = {
    read: () => { try { return localStorage.getItem(draftKey) ?? ""; } catch { return ""; } },
    write: (value) => {
      try { value ? localStorage.setItem(draftKey, value) : localStorage.removeItem(draftKey); } catch { /* full or forbidden */ }
    },
  };
  if (text) {
    text.value ||= drafts.read();
    grow();
    text.addEventListener("input", () => { grow(); drafts.write(text.value); });
    form.addEventListener("submit", (event) => {
      if (!form.hasAttribute("hx-post")) drafts.write("");
      if (busy() || form.dataset.sending) event.preventDefault();
    });
    document.addEventListener("htmx:before:request", (event) => {
      if (event.detail.ctx?.sourceElement !== form) return;
      if (busy() || form.dataset.sending) event.preventDefault();
      else form.dataset.sending = "yes";
    });
    document.addEventListener("htmx:finally:request", (event) => {
      if (event.detail.ctx?.sourceElement === form) delete form.dataset.sending;
    });
    document.addEventListener("htmx:after:swap", (event) => {
      const ctx = event.detail.ctx;
      if (ctx?.sourceElement !== form || !ctx.response?.raw?.ok) return;
      text.value = "";
      drafts.write("");
      grow();
      follow(true);
      text.focus();
    });
  }
  document.addEventListener("click", (event) => {
    const suggestion = event.target.closest("[data-suggestion]");
    if (suggestion && text) {
      text.value = suggestion.dataset.suggestion;
      text.dispatchEvent(new Event("input"));
      text.focus();
    }
    if (event.target.closest("[data-stop]")) thread()?.querySelector("[data-stops]")?.click();
    const copy = event.target.closest("[data-copy]");
    if (copy) copyText(copy.closest("figure").querySelector("code").textContent, copy);
    const copies = event.target.closest("[data-copies]");
    if (copies) fetch(copies.dataset.copies).then((response) => response.text()).then((value) => copyText(value, copies));
  });

  // Without a secure origin (http on a LAN) there is no clipboard interface; the old command still works.
  async function copyText(value, button) {
    if (navigator.clipboard) await navigator.clipboard.writeText(value);
    else {
      const area = Object.assign(document.createElement("textarea"), { value, className: "visually-hidden" });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), 1500);
  }

  // Keys of the page.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && text) {
      event.preventDefault();
      text.focus();
    }
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      const search = document.querySelector('.list-filter [type="search"]');
      if (search?.offsetParent) {
        event.preventDefault();
        search.focus();
      }
    }
  });

  // The thread follows what is written while its end is in sight, and stays where the reader has scrolled to.
  if (!scroller) return;
  let following = true;
  const latest = byId("to-latest");
  const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
  function follow(force) {
    if (force) following = true;
    if (following) scroller.scrollTop = scroller.scrollHeight;
    if (latest) latest.hidden = following || distance() < 80;
  }
  let height = scroller.scrollHeight;
  scroller.addEventListener("scroll", () => {
    following = distance() < 80;
    if (latest) latest.hidden = following;
    const earlier = scroller.scrollTop < 200 && scroller.querySelector("[data-earlier]:not(.htmx-request)");
    if (earlier && !following) earlier.click();
  }, { passive: true });
  latest?.addEventListener("click", () => follow(true));
  new ResizeObserver(() => follow()).observe(scroller);
  new MutationObserver(() => follow()).observe(scroller, { childList: true, subtree: true, characterData: true });
  follow(true);

  // Earlier messages come in above what is read; browsers without scroll anchoring would jump.
  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.ctx?.sourceElement?.matches?.("[data-earlier]")) height = scroller.scrollHeight - scroller.scrollTop;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.sourceElement?.matches?.("[data-earlier]")) scroller.scrollTop = scroller.scrollHeight - height;
  });

  // htmx gives up a stream that it had to open again with a rejected promise; nothing is wrong then.
  window.addEventListener("unhandledrejection", (event) => {
    if (event.reason?.name === "AbortError") event.preventDefault();
  });

  // A finished answer is read out once, not word by word, and without its tools and code.
  const announcer = byId("announcer");
  let awaited = busy()?.id;
  new MutationObserver(() => {
    const current = busy()?.id;
    if (awaited && !current) announce(byId(awaited));
    awaited = current;
  }).observe(scroller, { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-busy"] });
  function announce(answer) {
    const prose = answer?.querySelector(".prose")?.cloneNode(true);
    prose?.querySelectorAll(".tool-call, .code").forEach((each) => each.remove());
    announcer.textContent = `${announcer.dataset.finished} ${(prose?.textContent ?? "").trim().slice(0, 600)}`;
  }
})();
