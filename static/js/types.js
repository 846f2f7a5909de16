// The category follows the memory type's own, until the person chooses a category.
(() => {
  const categories = (form) => form?.querySelectorAll('[name="category"]') ?? [];

  function follow(form, wanted) {
    for (const field of categories(form)) {
      if (field.type === "radio") field.checked = field.value === wanted;
      else field.value = wanted;
    }
  }
  document.addEventListener("change", (event) => {
    const form = event.target.form;
    if (event.target.name === "category" && form) form.dataset.categoryChosen = "yes";
    const wanted = event.target.closest("[data-default-category]")?.dataset.defaultCategory;
    if (wanted && form && !form.dataset.categoryChosen) follow(form, wanted);
  });
})();
