// A file for an import: dropped or chosen, measured before it is sent, and sent with its progress shown.
(() => {
  const form = document.querySelector("[data-import]");
  if (!form) return;
  const area = form.querySelector("[data-drop]");
  const field = form.querySelector('input[type="file"]');
  const label = form.querySelector("[data-file-name]");
  const complaint = form.querySelector("[data-file-error]");
  const upload = form.querySelector("[data-upload]");
  const hint = label.textContent;

  function describe() {
    const file = field.files[0];
    label.textContent = file ? `${file.name} · ${measure(file.size)}` : hint;
    complaint.textContent = file && file.size > form.dataset.most * 1024 * 1024 ? form.dataset.tooLarge : "";
    return !complaint.textContent;
  }
  function measure(bytes) {
    const units = ["B", "KB", "MB", "GB"];
    const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 3);
    return `${(bytes / 1024 ** power).toFixed(power ? 1 : 0)} ${units[power]}`;
  }
  field.addEventListener("change", describe);
  for (const name of ["dragenter", "dragover"]) {
    area.addEventListener(name, (event) => {
      event.preventDefault();
      area.toggleAttribute("data-over", true);
    });
  }
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget)) area.removeAttribute("data-over");
  });
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.removeAttribute("data-over");
    if (!event.dataTransfer.files.length) return;
    const one = new DataTransfer();
    one.items.add(event.dataTransfer.files[0]);
    field.files = one.files;
    describe();
  });

  // The page of the job is where the answer leads; a refused form is a page too.
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!describe()) return field.focus();
    const button = form.querySelector("button:not([type])");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total }) => show((100 * loaded) / total));
    request.addEventListener("load", () => {
      if (request.status === 200) location.assign(request.responseURL);
      else if (request.status === 422) replace(request.responseText);
      else fail(request.status === 413 ? form.dataset.tooLarge : form.dataset.failed);
    });
    request.addEventListener("error", () => fail(form.dataset.failed));
    button.disabled = true;
    upload.hidden = false;
    request.send(new FormData(form));

    function fail(text) {
      complaint.textContent = text;
      upload.hidden = true;
      button.disabled = false;
      field.focus();
    }
    function replace(html) {
      const page = new DOMParser().parseFromString(html, "text/html");
      const told = [...page.querySelectorAll('[data-import] [role="alert"]')].map((each) => each.textContent.trim());
      fail(told.filter(Boolean).join(" ") || form.dataset.failed);
    }
  });
  function show(percent) {
    upload.querySelector("progress").value = percent;
    upload.querySelector("span").textContent = `${Math.round(percent)} %`;
  }
})();
