// The page: every change of the input sends a request, and the newest answer is shown.

import { EXAMPLES } from "./examples.mjs";
import { detectKind, sendRequest, toCurl, toPython } from "./request.mjs";
import { showAnswer, showEmpty, showError, showPending } from "./show.mjs";
import { decodeState, encodeState } from "./state.mjs";

const PAUSE_MS = 90; // between two requests while typing
const MAX_FILE_BYTES = 12_000_000; // in base64 it fits the service's limit for bodies
const KIND_NAMES = { text: "text", html: "HTML", url: "URL" };
const METADATA_INPUTS = { url: "url", ip: "ip", type: "type", language: "content-language" }; // state field: element id
const LINK_NOTE = "A link contains the text itself, after the #. Browsers never send that part to a server.";
const $ = (id) => document.getElementById(id);

let file = null; // { name, type, base64 } of an opened file
let answer = null, answeredState = null;
let timer, currentRequest, lastRequestMs = -PAUSE_MS;

const selectedKind = () => document.querySelector("input[name=kind]:checked").value;

/** Return the input of the page, from which requests, links and code are made. */
function readState() {
  const metadata = Object.fromEntries(Object.entries(METADATA_INPUTS).map(([name, id]) => [name, $(id).value.trim()]));
  if (file) return { ...metadata, kind: "file", value: file.base64, name: file.name, type: metadata.type || file.type };
  const value = $("input").value;
  const kind = selectedKind() === "auto" ? detectKind(value) : selectedKind();
  return { ...metadata, kind, value };
}

function showDetectedKind({ kind, value }) {
  $("detected-kind").textContent = !file && selectedKind() === "auto" && value.trim() ? `: ${KIND_NAMES[kind]}` : "";
}

function updateSoon() {
  clearTimeout(timer);
  timer = setTimeout(update, Math.max(0, lastRequestMs + PAUSE_MS - performance.now()));
}

async function update() {
  lastRequestMs = performance.now();
  const state = readState();
  const isEmpty = !state.value.trim();
  showDetectedKind(state);
  currentRequest?.abort();
  if (isEmpty) {
    forgetAnswer();
    showEmpty();
    return;
  }
  const request = (currentRequest = new AbortController());
  try {
    const newAnswer = await sendRequest(state, $("key").value, request.signal);
    if (request !== currentRequest) return;
    [answer, answeredState] = [newAnswer, state];
    showAnswer(answer, state);
    document.documentElement.dataset.answered = String(Number(document.documentElement.dataset.answered ?? 0) + 1);
    await updateLink(state);
  } catch (error) {
    if (error.name === "AbortError" || request !== currentRequest) return;
    if (error.status === 401) $("key-row").hidden = false;
    refuse(error.title ?? "The service does not answer", error.title ? error.message : "Check that it is running, then change the input to try again.");
  }
}

/** Remove the last answer, so that nothing of it is shown or copied for another input. */
function forgetAnswer() {
  answer = answeredState = null;
  history.replaceState(null, "", location.pathname + location.search);
}

function refuse(title, sentence) {
  forgetAnswer();
  showError(title, sentence);
}

async function updateLink(state) {
  const fragment = await encodeState(state);
  if (answeredState !== state) return;
  history.replaceState(null, "", fragment || location.pathname + location.search);
  document.querySelector("[data-copy=link]").disabled = !fragment;
  $("link-note").textContent = fragment ? LINK_NOTE : "The input is too long for a link.";
}

/** Show the state in the fragment of the URL; return whether there is one. */
async function restoreState() {
  const state = await decodeState(location.hash);
  if (!state) return false;
  removeFile();
  for (const [name, id] of Object.entries(METADATA_INPUTS)) $(id).value = state[name] ?? "";
  $("metadata").open = Boolean(state.url || state.ip || state.language);
  if (state.kind === "file") {
    $("type").value = ""; // the file has its own
    setFile({ name: state.name ?? "file", type: state.type ?? "", base64: state.value });
  } else {
    $("input").value = state.value;
    const kind = detectKind(state.value) === state.kind ? "auto" : state.kind;
    document.querySelector(`input[name=kind][value=${CSS.escape(kind)}]`)?.click();
  }
  await update();
  return true;
}

function setFile(newFile) {
  file = newFile;
  if (file) $("file-name").textContent = `${file.name}, ${Math.round((file.base64.length * 3) / 4).toLocaleString("en")} bytes`;
  else $("pick-file").value = "";
  $("file").hidden = !file;
  $("input").hidden = $("kinds").disabled = Boolean(file);
}

const removeFile = () => setFile(null);

async function openFile(source) {
  if (source.size > MAX_FILE_BYTES) {
    currentRequest?.abort();
    setFile(null);
    $("input").value = "";
    showDetectedKind(readState());
    refuse("The file is too large", `${source.name} has ${source.size.toLocaleString("en")} bytes; the limit of this page is ${MAX_FILE_BYTES.toLocaleString("en")}.`);
    return;
  }
  forgetAnswer();
  showPending();
  const url = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(source);
  });
  setFile({ name: source.name, type: source.type, base64: url.slice(url.indexOf(",") + 1) });
  await update();
}

async function copy(format) {
  const root = new URL(".", location.href).href;
  const text = {
    link: () => location.href,
    json: () => {
      const { explanation, ...verdict } = answer;
      return JSON.stringify(verdict, null, 2);
    },
    curl: () => toCurl(answeredState, root),
    python: () => toPython(answeredState),
  }[format]();
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = "Copied.";
  } catch {
    $("copied").textContent = "The browser does not allow this page to copy.";
  }
  setTimeout(() => ($("copied").textContent = ""), 2500);
}

function listenForInput() {
  for (const id of ["input", "key", ...Object.values(METADATA_INPUTS)]) $(id).addEventListener("input", updateSoon);
  $("kinds").addEventListener("change", update);
  $("key-row").addEventListener("submit", (event) => event.preventDefault());
  $("remove-file").addEventListener("click", () => { removeFile(); update(); $("input").focus(); });
  $("pick-file").addEventListener("change", (event) => event.target.files[0] && openFile(event.target.files[0]));
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  window.addEventListener("hashchange", restoreState);
}

function listenForDrops() {
  const { body } = document;
  let depth = 0; // of elements that are entered and not left
  const setDepth = (value) => {
    depth = Math.max(0, value);
    body.classList.toggle("dropping", depth > 0);
  };
  body.addEventListener("dragenter", () => setDepth(depth + 1));
  body.addEventListener("dragleave", () => setDepth(depth - 1));
  body.addEventListener("dragover", (event) => event.preventDefault());
  body.addEventListener("drop", (event) => {
    event.preventDefault();
    setDepth(0);
    const [source] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text");
    if (source) openFile(source);
    else if (text) {
      removeFile();
      $("input").value = text;
      update();
    }
  });
}

function showExamples() {
  const list = document.querySelector("#examples ul");
  for (const example of EXAMPLES) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = example.name;
    button.addEventListener("click", () => {
      removeFile();
      document.querySelector("input[name=kind][value=auto]").checked = true;
      $("input").value = example.value;
      $("url").value = example.url ?? "";
      if (example.base64) setFile({ name: example.file, type: "text/html", base64: example.base64 });
      update();
    });
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
}

listenForInput();
listenForDrops();
showExamples();
if (!(await restoreState()) && $("input").value.trim()) update();
document.documentElement.dataset.ready = "1";
