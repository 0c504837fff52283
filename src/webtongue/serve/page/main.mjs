// The page: what is typed, pasted or dropped is asked for as it comes, and the newest answer is shown.

import { ask, asCurl, asPython, kindOf } from "./ask.mjs";
import { EXAMPLES } from "./examples.mjs";
import { show, showError, showNothing } from "./show.mjs";
import { packed, unpacked } from "./state.mjs";

const PAUSE = 90; // milliseconds between two questions: the first key is answered at once
const LARGEST = 12_000_000; // bytes of a file: base64 of it fits the service's limit
const $ = (id) => document.getElementById(id);
const FOUND = { text: "text", html: "HTML", url: "address" };

let file = null; // { name, type, base64 } of a dropped file
let answer = null, asked = null;
let timer, running, before = -PAUSE;

const chosen = () => document.querySelector("input[name=kind]:checked").value;

/** All that the page knows, as the one object that requests, links and snippets are made of. */
function stateNow() {
  const known = { url: $("url").value.trim(), ip: $("ip").value.trim(), type: $("type").value.trim(), language: $("content-language").value.trim() };
  if (file) return { ...known, kind: "file", value: file.base64, name: file.name, type: known.type || file.type };
  const value = $("input").value;
  const kind = chosen() === "auto" ? kindOf(value) : chosen();
  return { ...known, kind, value };
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(answerNow, Math.max(0, before + PAUSE - performance.now()));
}

async function answerNow() {
  before = performance.now();
  const state = stateNow();
  $("found").textContent = !file && chosen() === "auto" && state.value.trim() ? `: ${FOUND[state.kind]}` : "";
  document.body.classList.toggle("filled", Boolean(state.value.trim()));
  running?.abort();
  if (!state.value.trim()) {
    answer = asked = null;
    $("error").hidden = true;
    showNothing();
    history.replaceState(null, "", location.pathname + location.search);
    return;
  }
  const mine = (running = new AbortController());
  try {
    const found = await ask(state, $("key").value, mine.signal);
    if (mine !== running) return;
    [answer, asked] = [found, state];
    $("error").hidden = true;
    show(found, state);
    document.documentElement.dataset.answered = String(Number(document.documentElement.dataset.answered ?? 0) + 1);
    await remember(state);
  } catch (error) {
    if (error.name === "AbortError" || mine !== running) return;
    if (error.status === 401) $("key-row").hidden = false;
    showError(error.title ?? "The service does not answer", error.title ? error.message : "Is it still running? Change something to try again.");
  }
}

async function remember(state) {
  const fragment = await packed(state);
  if (asked !== state) return;
  history.replaceState(null, "", fragment || location.pathname + location.search);
  const button = document.querySelector("[data-copy=link]");
  button.disabled = !fragment;
  $("link-note").textContent = fragment
    ? "A link holds the text itself, after the #: browsers never send that part to a server."
    : "This is too long to be carried by a link.";
}

async function recall() {
  const state = await unpacked(location.hash);
  if (!state) return false;
  forget();
  $("url").value = state.url ?? "";
  $("ip").value = state.ip ?? "";
  $("content-language").value = state.language ?? "";
  $("type").value = state.kind === "file" ? "" : (state.type ?? "");
  $("known").open = Boolean(state.url || state.ip || state.language);
  if (state.kind === "file") hold({ name: state.name ?? "file", type: state.type ?? "", base64: state.value });
  else {
    $("input").value = state.value;
    const kind = kindOf(state.value) === state.kind ? "auto" : state.kind;
    document.querySelector(`input[name=kind][value=${CSS.escape(kind)}]`)?.click();
  }
  await answerNow();
  return true;
}

function hold(found) {
  file = found;
  $("file-name").textContent = `${found.name}, ${Math.round((found.base64.length * 3) / 4).toLocaleString("en")} bytes`;
  $("file").hidden = false;
  $("input").hidden = true;
  $("kinds").disabled = true;
}

function forget() {
  file = null;
  $("file").hidden = true;
  $("input").hidden = false;
  $("kinds").disabled = false;
  $("pick-file").value = "";
}

async function take(given) {
  if (given.size > LARGEST) {
    showError("The file is too large", `It has ${given.size.toLocaleString("en")} bytes; this page takes ${LARGEST.toLocaleString("en")}.`);
    return;
  }
  const url = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(given);
  });
  hold({ name: given.name, type: given.type, base64: url.slice(url.indexOf(",") + 1) });
  await answerNow();
}

async function copy(what) {
  const root = new URL(".", location.href).href;
  const text = {
    link: () => location.href,
    json: () => {
      const { explanation, ...verdict } = answer;
      return JSON.stringify(verdict, null, 2);
    },
    curl: () => asCurl(asked, root),
    python: () => asPython(asked),
  }[what]();
  try {
    await navigator.clipboard.writeText(text);
    $("copied").textContent = "Copied.";
  } catch {
    $("copied").textContent = "The browser does not let this page copy.";
  }
  setTimeout(() => ($("copied").textContent = ""), 2500);
}

function wire() {
  for (const id of ["input", "url", "ip", "type", "content-language", "key"]) $(id).addEventListener("input", later);
  $("kinds").addEventListener("change", answerNow);
  $("key-row").addEventListener("submit", (event) => event.preventDefault());
  $("forget").addEventListener("click", () => { forget(); answerNow(); $("input").focus(); });
  $("pick-file").addEventListener("change", (event) => event.target.files[0] && take(event.target.files[0]));
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button.dataset.copy));
  const drop = document.body;
  let inside = 0;
  drop.addEventListener("dragenter", () => { inside += 1; document.body.classList.add("dropping"); });
  drop.addEventListener("dragleave", () => { inside -= 1; if (inside <= 0) document.body.classList.remove("dropping"); });
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    inside = 0;
    document.body.classList.remove("dropping");
    const [given] = event.dataTransfer.files;
    if (given) take(given);
    else if (event.dataTransfer.getData("text")) {
      forget();
      $("input").value = event.dataTransfer.getData("text");
      answerNow();
    }
  });
  window.addEventListener("hashchange", recall);
  const list = document.querySelector("#examples ul");
  for (const example of EXAMPLES) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = example.name;
    button.addEventListener("click", () => {
      forget();
      document.querySelector("input[name=kind][value=auto]").checked = true;
      $("input").value = example.value;
      $("url").value = example.url ?? "";
      if (example.base64) hold({ name: example.file, type: "text/html", base64: example.base64 });
      answerNow();
    });
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
}

wire();
if (!(await recall()) && $("input").value.trim()) answerNow();
document.documentElement.dataset.ready = "1";
