// The side drawer and the dialog show what was asked for last, and nothing that was asked for before they were closed:
// an answer that comes late neither opens them again nor takes the place of a newer one.
(() => {
  const byId = (id) => document.getElementById(id);
  const isPlace = (target) => target instanceof Element && target.matches("#side, #dialog-body");
  const wanted = new Map();

  document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
    if (isPlace(ctx.target)) wanted.set(ctx.target, ctx);
  });
  // What a change led to is told in any case.
  const isLate = (ctx) => ctx.request.method === "GET" && isPlace(ctx.target) && wanted.get(ctx.target) !== ctx;
  for (const moment of ["htmx:before:request", "htmx:before:swap"]) {
    document.addEventListener(moment, (event) => {
      if (isLate(event.detail.ctx)) event.preventDefault();
    });
  }

  const dropSide = () => wanted.delete(byId("side"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) dropSide();
  });
  document.addEventListener("click", (event) => event.target.closest("[data-side-close]") && dropSide());
  // It doesn't bubble.
  document.addEventListener("close", (event) => event.target.id === "dialog" && wanted.delete(byId("dialog-body")), true);
})();
