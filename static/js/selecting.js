// Choosing memories for a change of many: ranges, the whole page, keys, and what was chosen on other pages of the list.
(() => {
  const STORE = "chosen-memories";
  const bar = () => document.getElementById("bulk-form");
  const boxes = () => [...document.querySelectorAll('input[name="selected"][form="bulk-form"]')];
  const everything = () => bar()?.elements.namedItem("scope");
  const matching = () => bar()?.elements.namedItem("matching").value;
  let chosen = new Set();
  let list = null;
  let last = null;

  // Chosen rows of the same list are kept while its pages are turned and sorted; another filter begins anew.
  function remember() {
    const kept = { list: matching(), ids: [...chosen] };
    sessionStorage.setItem(STORE, JSON.stringify(kept));
  }
  function recall() {
    const comes = document.referrer && new URL(document.referrer).pathname === location.pathname;
    const kept = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
    list = matching();
    chosen = new Set(comes && kept && kept.list === list ? kept.ids : []);
  }

  function show(says = true) {
    const form = bar();
    if (!form) return;
    const shown = boxes();
    const all = everything()?.checked;
    for (const box of shown) box.checked = all || chosen.has(box.value);
    const here = new Set(shown.map((box) => box.value));
    form.querySelector("[data-elsewhere]").value = [...chosen].filter((id) => !here.has(id)).join(",");
    const words = all ? form.dataset.saidAll : form.dataset.said.replace("#", chosen.size);
    form.toggleAttribute("data-chosen", Boolean(all || chosen.size));
    form.querySelector("[data-count]").textContent = words;
    for (const button of form.querySelectorAll("[data-confirms-all]")) {
      if (all) button.dataset.confirm = button.dataset.confirmsAll;
      else delete button.dataset.confirm;
    }
    const ticked = shown.filter((box) => box.checked).length;
    const page = document.getElementById("choose-page");
    if (page) {
      page.checked = ticked > 0 && ticked === shown.length;
      page.indeterminate = ticked > 0 && ticked < shown.length;
    }
    if (all || chosen.size) form.querySelector('[hx-trigger^="count"]')?.dispatchEvent(new CustomEvent("count"));
    remember();
    if (says) document.getElementById("bulk-said").textContent = all || chosen.size ? words : form.dataset.saidNone;
  }

  function put(box, is) {
    if (is) chosen.add(box.value);
    else chosen.delete(box.value);
  }
  // One row, or with Shift all between it and the one before.
  function choose(box, is, isRange) {
    const shown = boxes();
    // Taking one away from "all that match" leaves the others of this page.
    if (everything()?.checked) {
      everything().checked = false;
      for (const other of shown) put(other, true);
    }
    const from = isRange && last ? shown.findIndex((other) => other.value === last) : -1;
    const to = shown.indexOf(box);
    const range = from < 0 ? [box] : shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    for (const one of range) put(one, is);
    last = box.value;
    show();
  }
  function choosePage(is) {
    if (everything()) everything().checked = false;
    for (const box of boxes()) put(box, is);
    show();
  }
  function clear(says = true) {
    const hadFocus = bar()?.contains(document.activeElement);
    chosen.clear();
    last = null;
    if (everything()) everything().checked = false;
    show(says);
    if (hadFocus) (document.getElementById("choose-page") ?? boxes()[0])?.focus();
  }

  document.addEventListener("click", (event) => {
    const box = event.target.closest('input[name="selected"]');
    if (box) choose(box, box.checked, event.shiftKey);
    if (event.target.id === "choose-page") choosePage(event.target.checked);
    if (event.target.closest("[data-chooses-page]")) choosePage(true);
  });
  // A click on the label with Shift would select text.
  document.addEventListener("mousedown", (event) => {
    if (event.shiftKey && event.target.closest(".memory-box")) event.preventDefault();
  });
  document.addEventListener("change", (event) => {
    if (event.target === everything()) show();
  });
  document.addEventListener("reset", (event) => {
    if (event.target === bar()) setTimeout(clear);
  });
  document.addEventListener("keydown", (event) => {
    const row = event.target.closest?.("tr[id^=memory-]");
    if (event.key === "Enter" && event.target.form === bar() && event.target.type === "checkbox") event.preventDefault();
    const isTyping = event.target.closest?.("input, textarea, select, button, dialog");
    if (event.key === " " && row && !isTyping) {
      const box = row.querySelector('input[name="selected"]');
      if (!box) return;
      event.preventDefault();
      choose(box, !box.checked, event.shiftKey);
    }
  });
  // Before the page's own Escape, which closes the drawer: one key closes one thing.
  document.addEventListener("keydown", (event) => {
    const isOpen = document.querySelector("dialog[open], :popover-open") || document.getElementById("side")?.childElementCount;
    if (event.key === "Escape" && !isOpen && (chosen.size || everything()?.checked)) clear();
  }, true);

  // A list that comes anew brings a new menu: the open one stays open, with the focus where it was.
  const menu = () => document.getElementById("bulk-kinds");
  let opened = null;
  document.addEventListener("htmx:before:swap", () => {
    opened = menu()?.matches(":popover-open") ? { on: document.activeElement?.value } : null;
  });
  function openAgain() {
    if (!opened || menu().matches(":popover-open")) return;
    menu().showPopover({ source: document.querySelector("[popovertarget=bulk-kinds]") });
    [...menu().querySelectorAll("button")].find((button) => button.value === opened.on)?.focus();
  }

  document.addEventListener("htmx:after:swap", () => {
    if (!bar()) return;
    if (matching() !== list) {
      list = matching();
      return clear(false);
    }
    show(false);
    openAgain();
  });
  // Something was done with them: the next choice begins anew.
  document.addEventListener("bulk-begun", (event) => {
    event.target.closest?.(".toast-note")?.remove();
    document.querySelector("#bulk-kinds:popover-open")?.hidePopover();
    clear(false);
  });
  window.addEventListener("pageshow", () => {
    if (!bar()) return;
    recall();
    show(chosen.size > 0);
  });
})();
