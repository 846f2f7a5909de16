// Dialogs of every page: opening, closing, asking, and the one whose body is loaded: #dialog.
(() => {
  const byId = (id) => document.getElementById(id);
  const dialog = byId("dialog");

  // A menu that a dialog is opened from closes first, so that focus has its button to come back to. Messages go along:
  // outside of the dialog nothing can be read or pressed.
  const toasts = byId("toasts");
  function show(opened) {
    document.querySelector(".menu:popover-open")?.hidePopover();
    opened?.showModal();
    if (toasts && opened && opened !== byId("confirm")) opened.append(toasts);
  }
  document.addEventListener("close", (event) => {
    if (event.target.contains(toasts)) event.target.before(toasts);
  }, true);

  // <button data-opens="id"> shows a dialog, <button data-closes> closes the one it stands in.
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-opens]");
    if (opener) show(byId(opener.dataset.opens));
    const closer = event.target.closest("[data-closes]");
    if (closer && !closer.matches("a[href]")) leave(closer.closest("dialog"));
    if (event.target.matches("dialog.dialog")) leave(event.target);
  });

  // <form data-confirm="…"> and hx-confirm="…" ask in the page's own dialog.
  function ask(question, proceed, drop) {
    const confirm = byId("confirm");
    confirm.querySelector("[data-question]").textContent = question;
    confirm.returnValue = "";
    confirm.addEventListener("close", () => (confirm.returnValue === "yes" ? proceed() : drop?.()), { once: true });
    show(confirm);
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

  // What is typed into <form data-keeps> is not thrown away by a slip; `data-changed`: it was typed before the page
  // answered with it.
  const differs = (field) => {
    if (field.type === "hidden" || field.disabled) return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return "defaultValue" in field && field.value !== field.defaultValue;
  };
  const isChanged = (form) => "changed" in form.dataset || [...form.elements].some(differs);
  const holdsTyped = (within) => [...(within?.querySelectorAll("form[data-keeps]") ?? [])].some(isChanged);
  function leave(from, proceed = () => from?.close()) {
    if (holdsTyped(from)) ask(dialog.dataset.leave, proceed);
    else proceed();
  }
  document.addEventListener("xiajiao:leave", (event) => leave(event.target, event.detail.proceed));
  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.target?.id === "side" && holdsTyped(ctx.target)) ctx.confirm ??= dialog.dataset.leave;
  });
  window.addEventListener("beforeunload", (event) => {
    if ((dialog?.open && holdsTyped(dialog)) || holdsTyped(byId("side"))) event.preventDefault();
  });

  if (dialog) {
    // Chrome lets a page refuse to close but once: the key itself is taken.
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing || !dialog.open || byId("confirm").open) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      leave(dialog);
    }, true);
    dialog.addEventListener("cancel", (event) => {
      if (!holdsTyped(dialog)) return;
      event.preventDefault();
      leave(dialog);
    });
    dialog.addEventListener("close", () => byId("dialog-body").replaceChildren());
    // hx-target="#dialog-body" opens it with what comes; where nothing comes, all is done and it closes.
    document.addEventListener("htmx:after:swap", (event) => {
      const target = event.detail.ctx?.target;
      if (target !== "#dialog-body" && target?.id !== "dialog-body") return;
      if (!byId("dialog-body").childElementCount) return dialog.close();
      const isNew = !dialog.open;
      if (isNew) show(dialog);
      const wanted = "[data-invalid] :is(input, textarea, select), [data-dialog-focus]";
      const first = dialog.querySelector(wanted) ?? (isNew && dialog.querySelector("[data-dialog-start]"));
      if (first) {
        first.focus();
        // With the words below it that say what is wrong.
        if (first.ariaInvalid) first.scrollIntoView({ block: "nearest" });
      } else if (!dialog.contains(document.activeElement)) byId("dialog-title")?.focus();
    });
    // A button in the dialog whose answer goes elsewhere: data-closes-after.
    document.addEventListener("htmx:after:request", (event) => {
      const asked = event.detail.ctx?.sourceElement;
      if (asked?.closest("[data-closes-after]") && event.detail.ctx.response.status < 400) dialog.close();
    });
  }

  // Ctrl+Enter saves, from any field.
  document.addEventListener("keydown", (event) => {
    const form = event.target.closest?.("form[data-keeps]");
    if (!form || event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-saves]"));
  });

  // What is typed in the form data-carries="id" goes on into the dialog that the link opens.
  document.addEventListener("htmx:before:request", (event) => {
    const source = event.detail.ctx?.sourceElement;
    // Nothing is loaded again over what somebody is typing.
    if (source?.matches("[data-waits]") && holdsTyped(source)) event.preventDefault();
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const carried = byId(event.detail.ctx?.sourceElement?.dataset?.carries);
    if (!carried || !dialog?.open) return;
    for (const field of [...carried.elements].filter(differs)) {
      const twin = dialog.querySelector("form[data-keeps]")?.elements[field.name];
      if (twin) twin.value = field.value;
    }
    carried.reset();
  });
})();
