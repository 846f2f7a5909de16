// Files for a knowledge base: dropped, chosen or a folder; each one request, three at a time, with its progress shown.
(() => {
  const form = document.getElementById("upload");
  if (!form) return;
  const [area, field] = [form.querySelector("[data-drop]"), document.getElementById("upload-file")];
  const folder = document.getElementById("upload-folder");
  const queue = document.getElementById("upload-queue");
  const [list, count, complaint] = ["ul", "[data-upload-count]", "[data-upload-error]"].map((one) => queue.querySelector(one));
  const blank = document.getElementById("upload-row").content.firstElementChild;
  const MEGABYTE = 1024 * 1024;
  const AT_ONCE = 3;
  const waiting = [];
  const running = new Set();
  let [arrived, all] = [0, 0];

  function measure(bytes) {
    const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 3);
    return `${(bytes / 1024 ** power).toFixed(power ? 1 : 0)} ${["B", "KB", "MB", "GB"][power]}`;
  }

  // A batch: what was dropped or chosen together, and what of earlier ones is still on its way.
  function take(files) {
    const total = [...waiting, ...running, ...files].reduce((sum, { file }) => sum + file.size, 0);
    const isTooMuch = total > form.dataset.mostOfAll * MEGABYTE;
    complaint.textContent = isTooMuch ? form.dataset.tooMany : "";
    queue.hidden = !isTooMuch && !files.length && !list.childElementCount;
    if (isTooMuch) return;
    if (!waiting.length && !running.size) [arrived, all] = [0, 0];
    for (const { file, name } of files) enter(file, name);
    go();
  }
  function enter(file, name) {
    const row = blank.cloneNode(true);
    const entry = { file, name, row, part: (selector) => row.querySelector(selector), extras: {} };
    entry.part(".upload-name").textContent = name;
    entry.part(".upload-size").textContent = measure(file.size);
    entry.part(".upload-state").textContent = form.dataset.waiting;
    entry.part("[data-upload-drop]").addEventListener("click", () => drop(entry));
    entry.part("[data-upload-retry]").addEventListener("click", () => again(entry));
    row.addEventListener("click", ({ target }) => {
      const way = target.closest("[data-again]");
      if (way) again(entry, { [way.dataset.again]: way.value });
    });
    list.append(row);
    all += 1;
    if (file.size > form.dataset.most * MEGABYTE) refuse(entry, form.dataset.tooLarge);
    else waiting.push(entry);
  }
  function go() {
    while (running.size < AT_ONCE && waiting.length) send(waiting.shift());
    tell();
  }
  function again(entry, extras = {}) {
    Object.assign(entry.extras, extras);
    entry.part(".upload-outcome").replaceChildren();
    entry.part("[data-upload-retry]").hidden = true;
    entry.part(".upload-bar").hidden = false;
    waiting.push(entry);
    go();
  }
  function drop(entry) {
    const place = waiting.indexOf(entry);
    if (place >= 0) waiting.splice(place, 1);
    entry.request?.abort();
    running.delete(entry);
    all -= 1;
    leave(entry);
    go();
  }
  function leave(entry) {
    const next = entry.row.nextElementSibling ?? entry.row.previousElementSibling;
    const hadFocus = entry.row.contains(document.activeElement);
    entry.row.remove();
    if (hadFocus) (next?.querySelector("button:not([hidden])") ?? field).focus();
  }

  function send(entry) {
    const { file, name, extras } = entry;
    const request = (entry.request = new XMLHttpRequest());
    const body = new FormData();
    // The name goes beside the file: that of a part is cut and changed on its way.
    for (const [key, value] of Object.entries({ name, fragment: "on", ...extras })) body.append(key, value);
    body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    body.append("file", file, "file");
    running.add(entry);
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      entry.part("progress").value = (100 * loaded) / total;
      entry.part(".upload-state").textContent = `${Math.round((100 * loaded) / total)} %`;
    });
    request.addEventListener("load", () => settle(entry, request));
    request.addEventListener("error", () => settle(entry, request));
    request.send(body);
  }
  function settle(entry, { status, responseText, responseURL }) {
    running.delete(entry);
    const isOurs = [201, 409, 422].includes(status) && new URL(responseURL).href === new URL(form.action, location).href;
    if (status === 201 && isOurs) {
      arrived += 1;
      leave(entry);
      news();
    } else if (isOurs) refuse(entry, "", responseText);
    else refuse(entry, status === 413 ? form.dataset.tooLarge : form.dataset.failed, "", status !== 413);
    go();
  }
  function refuse(entry, text, html = "", canRetry = false) {
    const outcome = entry.part(".upload-outcome");
    if (html) outcome.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    else outcome.textContent = text;
    entry.part(".upload-bar").hidden = true;
    entry.part("[data-upload-retry]").hidden = !canRetry;
  }
  function tell() {
    count.textContent = form.dataset.done.replace("{done}", arrived).replace("{all}", all);
    queue.querySelector("[data-upload-stop]").hidden = !waiting.length && !running.size;
    queue.hidden = !list.childElementCount && !complaint.textContent && !all;
  }
  // The list below is loaded again, at most once a second.
  let timer = 0;
  function news() {
    timer ||= setTimeout(() => {
      timer = 0;
      document.dispatchEvent(new CustomEvent("documents-changed"));
    }, waiting.length || running.size ? 1000 : 50);
  }

  // Of a folder, what nobody put there: hidden files, and what systems and office programs leave, as in archives.
  const isLitter = ({ name }) => /\/(\.|~\$|__MACOSX\/|(Thumbs\.db|desktop\.ini)$)/.test(name);
  const plainly = (files) => [...files].map((file) => ({ file, name: file.webkitRelativePath || file.name }));
  for (const one of [field, folder]) {
    one.addEventListener("change", () => {
      take(plainly(one.files).filter((each) => !isLitter(each)));
      one.value = "";
    });
  }
  form.querySelector("[data-needs-scripts]").hidden = !("webkitdirectory" in folder);
  form.querySelector("[data-folder]").addEventListener("click", () => folder.click());
  queue.querySelector("[data-upload-stop]").addEventListener("click", () => {
    for (const entry of [...waiting, ...running]) drop(entry);
  });
  for (const name of ["dragenter", "dragover"]) {
    area.addEventListener(name, (event) => {
      event.preventDefault();
      area.toggleAttribute("data-over", true);
    });
  }
  area.addEventListener("dragleave", (event) => {
    if (!area.contains(event.relatedTarget)) area.removeAttribute("data-over");
  });
  area.addEventListener("drop", async (event) => {
    event.preventDefault();
    area.removeAttribute("data-over");
    // To be read before the event is over; a folder is walked after it.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
    const files = plainly(event.dataTransfer.files);
    if (!entries.some((entry) => entry.isDirectory)) return take(files);
    take((await Promise.all(entries.map(walk))).flat().filter((one) => !isLitter(one)));
  });
  async function walk(entry) {
    const name = entry.fullPath.replace(/^\//, "");
    if (entry.isFile) return [{ file: await new Promise((...ends) => entry.file(...ends)), name }];
    const [reader, found] = [entry.createReader(), []];
    // A reader gives a hundred at a time.
    for (;;) {
      const some = await new Promise((...ends) => reader.readEntries(...ends));
      if (!some.length) return (await Promise.all(found.map(walk))).flat();
      found.push(...some);
    }
  }
  // What is on its way is not thrown away by a slip.
  window.addEventListener("beforeunload", (event) => {
    if (waiting.length || running.size) event.preventDefault();
  });
})();
