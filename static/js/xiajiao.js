// Small behaviours of every page, bound once to the document: time zone, dialogs, confirmation, messages, the side drawer.
(() => {
  const byId = (id) => document.getElementById(id);

  // Times are shown and read in the zone of this device; xiajiao/middleware.py reads the cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `xiajiao_zone=${zone}; path=/; max-age=31536000; samesite=lax`;

  // <button data-opens="id"> shows a dialog, <button data-closes> closes the one it stands in.
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) byId(opener.dataset.opens)?.showModal();
    if (event.target.closest("[data-closes]")) event.target.closest("dialog")?.close();
    if (event.target.matches("dialog.dialog")) event.target.close();
    if (event.target.closest("[data-dismisses]")) event.target.closest(".toast-note")?.remove();
    if (event.target.closest("[data-side-close]")) closeSide();
  });

  // <form data-confirm="…"> and hx-confirm="…" ask in the page's own dialog.
  function ask(question, proceed, drop) {
    const dialog = byId("confirm");
    dialog.querySelector("[data-question]").textContent = question;
    dialog.returnValue = "";
    dialog.addEventListener("close", () => (dialog.returnValue === "yes" ? proceed() : drop?.()), { once: true });
    dialog.showModal();
  }
  document.addEventListener("submit", (event) => {
    const form = event.target;
    const question = event.submitter?.dataset.confirm ?? form.dataset.confirm;
    if (!question || form.dataset.confirmed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(question, () => {
      form.dataset.confirmed = "yes";
      form.requestSubmit(event.submitter);
      delete form.dataset.confirmed;
    });
  }, true);
  document.addEventListener("htmx:confirm", (event) => {
    const question = event.detail.ctx?.confirm;
    if (!question) return;
    event.preventDefault();
    ask(question, event.detail.issueRequest, event.detail.dropRequest);
  });

  // Messages: good news leaves by itself, trouble stays until it is read.
  const toasts = byId("toasts");
  function say(text, level) {
    // The same trouble again is one message.
    for (const old of [...toasts.children]) {
      if (old.dataset.level === level && old.querySelector("[data-text]").textContent === text) old.remove();
    }
    const toast = byId("toast-template").content.firstElementChild.cloneNode(true);
    toast.dataset.level = level;
    toast.querySelector("[data-text]").textContent = text;
    toasts.append(toast);
  }
  function expire(toast) {
    if (toast.dataset.level === "success" || toast.dataset.level === "info") setTimeout(() => toast.remove(), 6000);
  }
  if (toasts) {
    toasts.querySelectorAll(".toast-note").forEach(expire);
    new MutationObserver((changes) => {
      for (const change of changes) change.addedNodes.forEach((node) => node.dataset && expire(node));
    }).observe(toasts, { childList: true });
    document.addEventListener("htmx:response:error", (event) => {
      const status = event.detail.ctx.response.status;
      // A refused form and a stale edit are shown where they stand.
      if (![409, 422].includes(status)) say(toasts.dataset[`on${status}`] ?? toasts.dataset.onError, "error");
    });
    document.addEventListener("htmx:error", (event) => {
      if (event.detail.error instanceof TypeError) say(toasts.dataset.onOffline, "error");
    });
  }

  // The side drawer takes the focus when it opens and gives it back when it closes.
  const side = byId("side");
  let opener = null;
  function closeSide() {
    side?.replaceChildren();
    opener?.focus();
    opener = null;
  }
  document.addEventListener("htmx:before:request", (event) => {
    if (side && event.detail.ctx?.target === side && !side.contains(document.activeElement)) {
      opener = document.activeElement;
    }
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const target = event.detail.ctx?.target;
    // Where what had the focus is gone, reading goes on at the title.
    if (target && (target === side || document.activeElement === document.body)) {
      target.querySelector("[data-side-title]")?.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && side?.childElementCount && !document.querySelector("dialog[open]")) closeSide();
  });
})();
