// Requests: what an input is, the request that is sent for it, and the same request as curl and Python.

const TAG = /<(?:!doctype|html|head|body|p|div|span|a|h[1-6]|ul|ol|li|table|meta|title|br|img|section|article|script|style|\?xml)\b[^>]*>/i;
const URL_OR_HOST = /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|(?:[^\s/@.]+\.)+[a-z\u00a1-\uffff]{2,}(?::\d+)?(?:[/?#]\S*)?)$/i;
const MAX_URL_CHARS = 2048;

const withoutEmpty = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value));

/** Return what an input is: "url", "html" or "text". */
export function detectKind(value) {
  const text = value.trim();
  if (text.length < MAX_URL_CHARS && URL_OR_HOST.test(text)) return "url";
  return TAG.test(text) ? "html" : "text";
}

/** Return what is given about a page beside its content, as fields of a request; a text has nothing. */
function buildMetadata({ kind, url, ip, type, language }) {
  if (kind === "text") return {};
  if (kind === "url") return withoutEmpty({ ip });
  const headers = withoutEmpty({ "Content-Type": type, "Content-Language": language });
  return withoutEmpty({ url, ip, headers: Object.keys(headers).length ? headers : null });
}

/** Return the path and JSON of a request. */
export function buildRequest(state) {
  const metadata = { ...buildMetadata(state), explain: true };
  if (state.kind === "url") return { path: "v1/url", body: { url: state.value.trim(), ...metadata } };
  const name = state.kind === "file" ? "base64" : state.kind;
  return { path: "v1/identify", body: { [name]: state.value, ...metadata } };
}

/** Send a request and return its answer, or throw an Error with the title and status of the problem. */
export async function sendRequest(state, key, signal) {
  const { path, body } = buildRequest(state);
  const headers = withoutEmpty({ "Content-Type": "application/json", "X-API-Key": key });
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.detail), { title: answer.title, status: answer.status });
}

const quoteForShell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Return a curl command for the same request; a file is sent as it is, with its metadata in the query and headers. */
export function toCurl(state, root) {
  const { path, body: { explain, ...body } } = buildRequest(state);
  if (state.kind !== "file") {
    return `curl -s ${quoteForShell(root + path)} -H 'Content-Type: application/json' --data-raw ${quoteForShell(JSON.stringify(body))}`;
  }
  const { headers, ...fields } = buildMetadata(state);
  const query = new URLSearchParams(fields);
  const options = Object.entries({ "Content-Type": "application/octet-stream", ...headers })
    .map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`);
  const url = `${root}${path}${query.size ? `?${query}` : ""}`;
  return `curl -s ${quoteForShell(url)} ${options.join(" ")} --data-binary ${quoteForShell(`@${state.name}`)}`;
}

const quoteForPython = (value) => JSON.stringify(value).replaceAll("\u007f", "\\u007f");

/** Return Python code that gets the same answer from the library. */
export function toPython(state) {
  const keywords = Object.entries(buildMetadata(state)).map(([name, value]) => `, ${name}=${quoteForPython(value)}`).join("");
  const call = {
    text: () => `identify_text(${quoteForPython(state.value)})`,
    html: () => `identify(${quoteForPython(state.value)}.encode()${keywords})`,
    url: () => `identify_url(${quoteForPython(state.value.trim())}${keywords})`,
    file: () => `identify(Path(${quoteForPython(state.name ?? "page.html")}).read_bytes()${keywords})`,
  }[state.kind]();
  const imports = state.kind === "file" ? "from pathlib import Path\n\n" : "";
  return `${imports}import webtongue\n\nv = webtongue.${call}\nprint(v.language, v.script, v.confidence, v.encoding)\n`;
}
