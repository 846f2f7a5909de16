// The documents of a base and the page of one: menus, focus while the list loads itself again, the passage cited.
(() => {
  // What is chosen in a menu closes it.
  document.addEventListener("click", (event) => {
    event.target.closest("[data-menu-act]")?.closest("[popover]")?.hidePopover();
  });

  // A button that is gone after its deed leaves the focus to the document it stood by.
  let row = null;
  document.addEventListener("htmx:before:swap", (event) => {
    row = document.activeElement?.closest(".document-row")?.id ?? row;
  });
  document.addEventListener("htmx:after:swap", () => {
    if (row && document.activeElement === document.body) document.getElementById(`${row}-link`)?.focus();
    row = null;
  });

  // A deletion that was taken back is told of no more.
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (ctx?.response?.status < 400) ctx.sourceElement?.closest?.(".toast-note")?.remove();
  });

  // A long text scrolls to what is marked in it.
  const marked = document.querySelector("[data-passage] [data-marked]");
  if (marked) {
    marked.scrollIntoView({ block: "center" });
    document.querySelector("[data-passage]").focus({ preventScroll: true });
  }
  // The settings open where an address names them.
  if (location.hash === "#settings") document.getElementById("settings")?.setAttribute("open", "");
})();
