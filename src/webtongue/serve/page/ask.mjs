// What is asked: how an input is read, the request it becomes, and the same request for other hands.

const TAG = /<(?:!doctype|html|head|body|p|div|span|a|h[1-6]|ul|ol|li|table|meta|title|br|img|section|article|script|style|\?xml)\b[^>]*>/i;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|(?:[^\s/@.]+\.)+[a-z\u00a1-\uffff]{2,}(?::\d+)?(?:[/?#]\S*)?)$/i;

/** How an input reads: as an address, as HTML, or as text. */
export function kindOf(value) {
  const text = value.trim();
  if (text.length < 2048 && ADDRESS.test(text)) return "url";
  return TAG.test(text) ? "html" : "text";
}

/** The path and JSON of a request. */
export function requestOf(state) {
  const known = {};
  if (state.url) known.url = state.url;
  if (state.ip) known.ip = state.ip;
  if (state.kind === "url") return { path: "v1/url", body: { ...known, url: state.value.trim(), explain: true } };
  const headers = {};
  if (state.type) headers["Content-Type"] = state.type;
  if (state.language) headers["Content-Language"] = state.language;
  if (state.kind !== "text" && Object.keys(headers).length) known.headers = headers;
  const given = state.kind === "file" ? { base64: state.value } : { [state.kind]: state.value };
  return { path: "v1/identify", body: { ...given, ...(state.kind === "text" ? {} : known), explain: true } };
}

/** Ask, and give the answer or throw an Error with a title, a sentence and a status. */
export async function ask(state, key, signal) {
  const { path, body } = requestOf(state);
  const headers = { "Content-Type": "application/json" };
  if (key) headers["X-API-Key"] = key;
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  const found = await response.json();
  if (response.ok) return found;
  const error = new Error(found.detail);
  throw Object.assign(error, { title: found.title, status: found.status });
}

const quotedForShell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A command line that asks the same. */
export function asCurl(state, root) {
  const { path, body } = requestOf(state);
  if (state.kind === "file") {
    const fields = new URLSearchParams();
    if (state.url) fields.set("url", state.url);
    if (state.ip) fields.set("ip", state.ip);
    const headers = [`-H ${quotedForShell(`Content-Type: ${state.type || "application/octet-stream"}`)}`];
    if (state.language) headers.push(`-H ${quotedForShell(`Content-Language: ${state.language}`)}`);
    const query = fields.size ? `?${fields}` : "";
    return `curl -s ${quotedForShell(`${root}${path}${query}`)} ${headers.join(" ")} --data-binary ${quotedForShell(`@${state.name}`)}`;
  }
  const { explain, ...rest } = body;
  return `curl -s ${quotedForShell(root + path)} -H 'Content-Type: application/json' --data-raw ${quotedForShell(JSON.stringify(rest))}`;
}

const quotedForPython = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

/** Lines of Python that answer the same without a service. */
export function asPython(state) {
  const known = [];
  if (state.url && state.kind !== "text") known.push(`url=${quotedForPython(state.url)}`);
  if (state.kind !== "text" && state.kind !== "url" && (state.type || state.language)) {
    const headers = {};
    if (state.type) headers["Content-Type"] = state.type;
    if (state.language) headers["Content-Language"] = state.language;
    known.push(`headers=${JSON.stringify(headers)}`);
  }
  if (state.ip && state.kind !== "text") known.push(`ip=${quotedForPython(state.ip)}`);
  const more = known.filter((one) => state.kind !== "url" || !one.startsWith("url=")).map((one) => `, ${one}`).join("");
  const call = {
    text: () => `webtongue.identify_text(${quotedForPython(state.value)})`,
    html: () => `webtongue.identify(${quotedForPython(state.value)}.encode()${more})`,
    url: () => `webtongue.identify_url(${quotedForPython(state.value.trim())}${more})`,
    file: () => `webtongue.identify(Path(${quotedForPython(state.name ?? "page.html")}).read_bytes()${more})`,
  }[state.kind]();
  const path = state.kind === "file" ? "from pathlib import Path\n\n" : "";
  return `${path}import webtongue\n\nv = ${call}\nprint(v.language, v.script, v.confidence, v.encoding)\n`;
}
