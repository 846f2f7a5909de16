// A second click on what is on its way already is a slip: nothing is sent twice.
(() => {
  const sent = new WeakMap();
  function wording(ctx) {
    const words = new URLSearchParams(ctx.request.body);
    // Somebody may have signed in anew between two clicks.
    words.delete("csrfmiddlewaretoken");
    return `${ctx.request.action} ${words}`;
  }

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.request.method !== "POST") return;
    if (sent.get(ctx.sourceElement) === wording(ctx)) event.preventDefault();
  });
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.request.method === "POST") sent.set(ctx.sourceElement, wording(ctx));
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => sent.delete(ctx.sourceElement));

  // A plain form too, until its page is shown again; after a while, or with something else in it, another try is meant.
  const AWHILE = 5000;
  const gone = new Map();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    const words = `${event.submitter?.formAction} ${new URLSearchParams(new FormData(form, event.submitter))}`;
    if (gone.get(form) === words) return event.preventDefault();
    gone.set(form, words);
    setTimeout(() => gone.delete(form), AWHILE);
  });
  window.addEventListener("pageshow", () => gone.clear());
})();
