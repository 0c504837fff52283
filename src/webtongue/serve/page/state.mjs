// The state of the page in the fragment of its address: packed, so that a link stays short. Fragments never reach a server.

export const LONGEST = 16000; // characters of a fragment that browsers, chats and mails carry without harm

const toText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function through(bytes, stream) {
  const packed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** A state as a fragment; empty where it would be too long. */
export async function packed(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  if (bytes.length > LONGEST * 0.75) return "";
  return `#s=${toText(bytes)}`;
}

/** The state in a fragment; null where there is none, or it is damaged. */
export async function unpacked(fragment) {
  if (!fragment.startsWith("#s=") || fragment.length > LONGEST + 3) return null;
  try {
    const bytes = await through(toBytes(fragment.slice(3)), new DecompressionStream("deflate-raw"));
    const found = JSON.parse(new TextDecoder().decode(bytes));
    return typeof found === "object" && typeof found?.value === "string" ? found : null;
  } catch {
    return null;
  }
}
