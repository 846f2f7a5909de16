// The page of health by keyboard: from finding to finding, and its buttons by number.
(() => {
  const findings = () => [...document.querySelectorAll("[data-finding]")];
  let place = -1;

  function current() {
    const focused = document.activeElement?.closest("[data-finding], .finding-row");
    return focused?.matches(".finding-row") ? focused.querySelector("[data-finding]") : focused;
  }
  function goTo(index) {
    const all = findings();
    if (!all.length) return;
    place = Math.max(0, Math.min(index, all.length - 1));
    all[place].focus();
    all[place].scrollIntoView({ block: "nearest" });
  }
  function move(step) {
    const at = findings().indexOf(current());
    goTo(at < 0 ? Math.max(place, 0) : at + step);
  }
  function press(number) {
    const form = current()?.closest("form") ?? current()?.querySelector("form") ?? document.querySelector("form[data-ticking]");
    form?.querySelectorAll("button[name=decision]")[number - 1]?.click();
  }
  const isTyping = (element) =>
    element.closest("textarea, select, [contenteditable], #side, dialog, input:not([type=checkbox])");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const arrows = current() ? { ArrowDown: 1, ArrowUp: -1 } : {};
    const step = { j: 1, k: -1, ...arrows }[event.key];
    if (step && findings().length) {
      event.preventDefault();
      move(step);
    } else if (/^[1-3]$/.test(event.key) && current()) {
      event.preventDefault();
      press(Number(event.key));
    } else if (event.key === "Enter" && event.target.matches("article[data-finding]")) {
      event.preventDefault();
      event.target.querySelector("button[name=decision]")?.focus();
    }
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-ticks-all]")) return;
    findings().forEach((box) => (box.checked = event.target.checked));
  });

  // What was settled is gone from the list: reading goes on at the one that took its place. Where one was edited, the
  // others stay ticked.
  let ticked = [];
  document.addEventListener("htmx:before:request", (event) => {
    if (event.target.closest?.("#health")) place = findings().indexOf(current());
    if (event.target.id === "health") ticked = findings().filter((box) => box.checked).map((box) => box.value);
  });
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx?.target?.id !== "health" && !event.target.closest?.("#health")) return;
    for (const box of findings()) if (ticked.includes(box.value)) box.checked = true;
    ticked = [];
    if (document.activeElement !== document.body) return;
    if (findings().length) goTo(Math.max(place, 0));
    else document.getElementById("health-kind")?.focus();
  });
})();
