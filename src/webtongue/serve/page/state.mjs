// The input of the page in the fragment of its URL, compressed, so that links stay short. Browsers never send fragments to a server.

const MAX_FRAGMENT_CHARS = 16000; // browsers, chats and mail programs handle links of this length
const PREFIX = "#s=";

const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const fromBase64 = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function transform(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Return a state as a fragment, or "" if that would be too long. */
export async function encodeState(state) {
  const bytes = await transform(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  return bytes.length > MAX_FRAGMENT_CHARS * 0.75 ? "" : PREFIX + toBase64(bytes);
}

/** Return the state in a fragment, or null if there is none or it is damaged. */
export async function decodeState(fragment) {
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_FRAGMENT_CHARS + PREFIX.length) return null;
  try {
    const bytes = await transform(fromBase64(fragment.slice(PREFIX.length)), new DecompressionStream("deflate-raw"));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return typeof state?.value === "string" ? state : null;
  } catch {
    return null;
  }
}
