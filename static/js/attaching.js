// Files for a conversation: chosen, dropped on it or pasted; each one request, three at a time, with its progress shown.
(() => {
  const place = document.querySelector("[data-attaching]");
  const form = document.getElementById("composer-form");
  if (!place || !form) return;
  const [list, field] = ["uploads", "attach-file"].map((id) => document.getElementById(id));
  const text = document.getElementById("composer-text");
  const pane = place.closest(".pane-main");
  const blank = document.getElementById("upload-chip").content.firstElementChild;
  const MEGABYTE = 1024 * 1024;
  const AT_ONCE = 3;
  const begins = "agent" in place.dataset;
  const waiting = [];
  const running = new Set();
  let conversation = begins ? "" : location.pathname;

  function take(files) {
    for (const file of files) enter(file);
    go();
  }
  function enter(file) {
    const row = blank.cloneNode(true);
    const entry = { file, row, part: (selector) => row.querySelector(selector) };
    entry.part(".attachment-name").textContent = file.name;
    entry.part(".attachment-state").textContent = place.dataset.waiting;
    entry.part("[data-attach-drop]").addEventListener("click", () => drop(entry));
    entry.part("[data-attach-retry]").addEventListener("click", () => again(entry));
    list.append(row);
    if (file.size > place.dataset.most * MEGABYTE) refuse(entry, place.dataset.tooLarge);
    else waiting.push(entry);
  }
  async function go() {
    if (!waiting.length || running.size >= AT_ONCE) return;
    // A conversation that begins with files is made by the first of them.
    if (!conversation && !(await begin())) return;
    while (running.size < AT_ONCE && waiting.length) send(waiting.shift());
  }
  let beginning = null;
  function begin() {
    beginning ??= fetch(place.dataset.action, {
      method: "POST",
      body: fill({ agent: place.dataset.agent, mode: form.elements.mode?.value ?? "", fragment: "on" }),
    }).then(async (answer) => {
      if (answer.status === 201) conversation = answer.headers.get("Location");
      else for (const entry of waiting.splice(0)) refuse(entry, answer.status === 409 ? await answer.clone().text() : place.dataset.failed, true);
      return conversation;
    }).catch(() => {
      for (const entry of waiting.splice(0)) refuse(entry, place.dataset.failed, true);
    }).finally(() => (beginning = null));
    return beginning;
  }
  function fill(values) {
    const body = new FormData();
    for (const [key, value] of Object.entries(values)) body.append(key, value);
    body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    return body;
  }
  function send(entry) {
    const request = (entry.request = new XMLHttpRequest());
    // The name goes beside the file: that of a part is cut and changed on its way.
    const body = fill({ name: entry.file.name, fragment: "on" });
    body.append("file", entry.file, "file");
    running.add(entry);
    request.open("POST", `${conversation}files/add/`);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      entry.part("progress").value = (100 * loaded) / total;
      entry.part(".attachment-state").textContent = `${Math.round((100 * loaded) / total)} %`;
    });
    for (const end of ["load", "error"]) request.addEventListener(end, () => settle(entry, request));
    request.send(body);
  }
  function settle(entry, { status, responseText, responseURL }) {
    running.delete(entry);
    const isOurs = new URL(responseURL || location, location).pathname === `${conversation}files/add/`;
    if (status === 201 && isOurs) {
      entry.row.remove();
      if (!begins) document.dispatchEvent(new CustomEvent("documents-changed"));
    } else if (status === 422 && isOurs) refuse(entry, responseText);
    else refuse(entry, status === 413 ? place.dataset.tooLarge : place.dataset.failed, status !== 413);
    go();
    if (begins && !waiting.length && !running.size && !list.childElementCount) leave();
  }
  function refuse(entry, reason, canRetry = false) {
    entry.row.removeAttribute("data-uploading");
    entry.row.dataset.state = "failed";
    entry.part(".attachment-state").textContent = reason;
    entry.part("progress").hidden = true;
    entry.part("[data-attach-retry]").hidden = !canRetry;
  }
  function again(entry) {
    entry.row.dataset.uploading = "";
    delete entry.row.dataset.state;
    entry.part("progress").hidden = false;
    entry.part("[data-attach-retry]").hidden = true;
    waiting.push(entry);
    go();
  }
  function drop(entry) {
    const at = waiting.indexOf(entry);
    if (at >= 0) waiting.splice(at, 1);
    entry.request?.abort();
    running.delete(entry);
    entry.row.remove();
    text?.focus();
    if (begins && conversation && !waiting.length && !running.size && !list.childElementCount) leave();
    else go();
  }
  // On to the page of the new conversation, with what was typed meanwhile.
  function leave() {
    try {
      const id = conversation.match(/\d+/)[0];
      if (text?.value) localStorage.setItem(`xiajiao-draft-${id}`, text.value);
      localStorage.removeItem(`xiajiao-draft-${text.dataset.draft}`);
    } catch { /* Storage may be full or forbidden. */ }
    location.assign(conversation);
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-attach]")) field.click();
  });
  field.addEventListener("change", () => {
    take([...field.files]);
    field.value = "";
  });
  document.addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (!files.length || document.querySelector("dialog[open]")) return;
    // Cells of a sheet come as text and as a picture of it: the text is meant.
    if (["text/html", "text/plain"].every((type) => event.clipboardData.types.includes(type))) return;
    event.preventDefault();
    take(files);
  });
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  for (const name of ["dragenter", "dragover"]) {
    pane.addEventListener(name, (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      pane.toggleAttribute("data-over", true);
    });
  }
  pane.addEventListener("dragleave", (event) => {
    if (!pane.contains(event.relatedTarget)) pane.removeAttribute("data-over");
  });
  pane.addEventListener("drop", (event) => {
    pane.removeAttribute("data-over");
    if (!hasFiles(event)) return;
    event.preventDefault();
    const folders = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()?.isDirectory);
    take([...event.dataTransfer.files].filter((_file, at) => !folders[at]));
  });

  // A file that is removed leaves the focus to the message.
  document.addEventListener("htmx:after:swap", () => {
    if (document.activeElement === document.body && lost) text?.focus({ preventScroll: true });
    lost = false;
  });
  let lost = false;
  document.addEventListener("htmx:before:swap", () => {
    lost ||= Boolean(document.activeElement?.closest("#attachments"));
  });
  // A deletion that was taken back is told of no more.
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    if (ctx?.response?.status < 400) ctx.sourceElement?.closest?.(".toast-note")?.remove();
  });
  // What is on its way is not thrown away by a slip.
  window.addEventListener("beforeunload", (event) => {
    if (waiting.length || running.size) event.preventDefault();
  });
})();
