// The composer: when a message is sent, what becomes of the draft, and the keys of the chat page.
(() => {
  const byId = (id) => document.getElementById(id);
  const text = byId("composer-text");
  const thread = () => byId("thread");
  const isBusy = () => thread()?.querySelector('[aria-busy="true"]');
  const hasPointer = matchMedia("(hover: hover)");

  // An input method ends its word with Enter; Safari says so by keyCode 229 alone.
  let composing = false;
  document.addEventListener("compositionstart", () => (composing = true));
  document.addEventListener("compositionend", () => setTimeout(() => (composing = false)));
  const isComposing = (event) => event.isComposing || event.keyCode === 229 || composing;

  // Keys of the page. In the form for another wording, Enter is a line's end and Ctrl Enter sends.
  document.addEventListener("keydown", (event) => {
    const form = event.target.closest(".message-form");
    if (form && event.key === "Enter" && (event.ctrlKey || event.metaKey) && !isComposing(event)) form.requestSubmit();
    if (form && event.key === "Escape" && !isComposing(event)) cancel(form);
    if (event.key === "/" && text && !event.target.closest("input, textarea, select, [contenteditable]")) {
      event.preventDefault();
      text.focus();
    }
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      const search = document.querySelector('.list-filter [type="search"]');
      if (!search?.offsetParent) return;
      event.preventDefault();
      search.focus();
    }
  });
  function cancel(form) {
    const message = form.closest(".message");
    form.remove();
    message.querySelector("[data-edits]")?.focus();
  }
  document.addEventListener("click", (event) => {
    event.target.closest("[data-menu-act]")?.closest("[popover]")?.hidePopover();
    if (event.target.closest("[data-cancels]")) cancel(event.target.closest("form"));
    if (event.target.closest("[data-stop]")) {
      thread()?.querySelector("[data-stops]")?.click();
      if (hasPointer.matches) text?.focus();
    }
    const suggestion = event.target.closest("[data-suggestion]");
    if (!suggestion || !text) return;
    text.value = suggestion.dataset.suggestion;
    text.dispatchEvent(new Event("input"));
    text.focus();
  });

  if (!text) return;
  const form = text.form;
  const goesByHtmx = form.hasAttribute("hx-post");
  const errors = byId("composer-error");
  const longest = Number(text.dataset.longest);

  function grow() {
    if (CSS.supports("field-sizing", "content")) return;
    text.style.height = "auto";
    text.style.height = `${text.scrollHeight}px`;
  }

  // A draft stays with its conversation until the server has the message. Storage may be full or forbidden.
  const key = `xiajiao-draft-${text.dataset.draft}`;
  const attempt = (act) => { try { return act(); } catch { return null; } };
  const keep = (value) => attempt(() => (value ? localStorage.setItem(key, value) : localStorage.removeItem(key)));
  const sent = attempt(() => sessionStorage.getItem("xiajiao-sent"));
  attempt(() => sessionStorage.removeItem("xiajiao-sent"));
  if (sent && goesByHtmx) attempt(() => localStorage.removeItem(sent));
  text.value ||= attempt(() => localStorage.getItem(key)) ?? "";
  grow();

  function isTooLong() {
    const isLong = text.value.length > longest && [...text.value.trim()].length > longest;
    const note = byId("too-long").content.cloneNode(true);
    if (isLong) errors.replaceChildren(note);
    else if (errors.querySelector("[data-too-long]")) errors.replaceChildren();
    return isLong;
  }
  text.addEventListener("input", () => {
    grow();
    keep(text.value);
    isTooLong();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    if (text.value.trim() && !isBusy() && !isUploading()) form.requestSubmit();
  });

  // Once, however often it is clicked; a page that comes back from the browser's cache may send again.
  // A file on its way belongs to what is said: it is waited for.
  const isUploading = () => document.querySelector("[data-uploading]");
  const maySend = () => !isBusy() && !isUploading() && !form.dataset.sending && text.value.trim() && !isTooLong();
  form.addEventListener("submit", (event) => {
    if (!maySend()) event.preventDefault();
    else if (!goesByHtmx) {
      form.dataset.sending = "yes";
      attempt(() => sessionStorage.setItem("xiajiao-sent", key));
    }
  });
  addEventListener("pageshow", () => delete form.dataset.sending);
  const isOurs = (event) => event.detail.ctx?.sourceElement === form;
  document.addEventListener("htmx:before:request", (event) => {
    if (!isOurs(event)) return;
    if (maySend()) form.dataset.sending = "yes";
    else event.preventDefault();
  });
  document.addEventListener("htmx:finally:request", (event) => {
    if (isOurs(event)) delete form.dataset.sending;
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (!isOurs(event) || !event.detail.ctx.response?.raw?.ok) return;
    text.value = "";
    keep("");
    grow();
    text.focus();
  });
})();
