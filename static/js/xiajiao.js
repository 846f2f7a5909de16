// Small behaviours of every page, bound once to the document: time zone, messages, the side drawer.
(() => {
  const byId = (id) => document.getElementById(id);

  // Times are shown and read in the zone of this device; xiajiao/middleware.py reads the cookie.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `xiajiao_zone=${zone}; path=/; max-age=31536000; samesite=lax`;

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-dismisses]")) event.target.closest(".toast-note")?.remove();
    if (event.target.closest("[data-side-close]")) leaveSide();
  });
  // <form data-downloads> is answered with a file: the dialog around it has done its work.
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-downloads]")) event.target.closest("dialog")?.close();
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
    return toast;
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
      if ([409, 422].includes(status)) return;
      const toast = say(toasts.dataset[`on${status}`] ?? toasts.dataset.onError, "error");
      if (status === 401) toast.querySelector("[data-text]").after(byId("sign-in-template").content.cloneNode(true));
    });
    // A page that was open while somebody signed in again, in another tab, has the token of before.
    document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
      const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${toasts.dataset.csrfCookie}=`));
      if (cookie && ctx.request.body instanceof FormData && ctx.request.body.has("csrfmiddlewaretoken")) {
        ctx.request.body.set("csrfmiddlewaretoken", cookie.split("=")[1]);
      }
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
    (opener?.isConnected ? opener : byId("main"))?.focus();
    opener = null;
  }
  // What is typed in it is asked about first; js/dialogs.js knows how.
  function leaveSide() {
    side?.dispatchEvent(new CustomEvent("xiajiao:leave", { bubbles: true, detail: { proceed: closeSide } }));
  }
  document.addEventListener("htmx:before:request", (event) => {
    if (side && event.detail.ctx?.target === side && !side.contains(document.activeElement)) {
      opener = document.activeElement;
    }
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const target = event.detail.ctx?.target;
    // Where what had the focus is gone, reading goes on at the title.
    if (target?.querySelector && (target === side || document.activeElement === document.body)) {
      target.querySelector("[data-side-title]")?.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && side?.childElementCount && !document.querySelector("dialog[open]")) leaveSide();
  });
})();
