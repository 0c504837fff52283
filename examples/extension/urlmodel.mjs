// The language of a page by its address alone (Baykan 2013, section 1): webtongue's URL model, read from a packed file.
//
// This is native/url in JavaScript, feature by feature: tests/extension holds the two to the same label, the same probability and
// the same reason on ten thousand addresses. Nothing is asked of anyone: a model, an address in, an answer out.

import { Codes, isCasedLocale, isJoint, isMark } from "./codes.mjs";

const LONGEST = 65536, READ = 2048; // bytes of an address, and of what is looked at
const MOST = 768, WORD = 48, CODE = 8; // features; letters of a word, of a code
const LOW = 3, HIGH = 5, CJK_HIGH = 3, BRIEF = 3;
const CJK_FIRST = 0x2e80, CJK_LAST = 0xfb00;
const KIND = Object.fromEntries(
  ["tld", "suffix", "domain", "subdomain", "segment", "pair", "value", "extension", "hyphens", "shape", "script", "word", "words",
    "gram", "mark"].map((name, number) => [name, number]));
const SILENT = new Set([KIND.hyphens, KIND.shape, KIND.extension, KIND.tld]); // known, yet they tell no languages apart
const HOST = 0x80, QUERY = 0x40, PLAIN = 0x3f;
const PLACE = { label: 0, first: 1, later: 2, dot: 3, ending: 4, tail: 5, start: 6, languageKey: 7, value: 8 };
const MENTIONS = 16, NAMED = 300, OTHERS = 160;
const LANGUAGE_KEYS = new Set(["hl", "l", "lan", "ln", "lc", "lg", "idioma", "idiom", "sprache", "lingua", "taal", "culture", "jezik", "jazyk", "kieli"]);
const PROGRAM_TYPES = new Set(["am", "av", "cs", "do", "la", "mk", "ml", "pl", "ps", "sh", "so", "ss", "ts"]);
const TRIVIAL = new Set(["www", "http", "https", "index", "html", "htm", "shtml", "php", "asp", "aspx", "jsp", "com", "net", "org"]);
const VOICES = 8, NATS = 1024, WINDOW = 16 * NATS;
const RULE = 1, WILDCARD = 2, EXCEPTION = 4;
/** By their numbers: why an address has no answer. */
export const REASONS = ["", "empty", "not_a_url", "not_a_page", "says_nothing", "not_text", "too_long", "user_name", "ipv6_host", "missing",
  "not_asked", "too_little"];
const REASON = Object.fromEntries(REASONS.map((name, number) => [name, number]));

const isAlpha = (c) => (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
const isDigit = (c) => c >= 48 && c <= 57;
const lowerAscii = (c) => (c >= 65 && c <= 90 ? c + 32 : c);

/** A hash of 64 bits in two halves: BigInt would take forty times as long. */
class Hash {
  high = 0;
  low = 0;

  start(kind) { // the seed, and a word of its own for each kind
    this.set(0xbb67ae85, 0x84caa73b);
    this.times(0, kind + 1);
    const low = this.low + 0xf3bcc909;
    this.high = (this.high + 0x6a09e667 + (low > 0xffffffff ? 1 : 0)) >>> 0;
    this.low = low >>> 0;
    return this;
  }
  set(high, low) {
    this.high = high;
    this.low = low;
    return this;
  }
  times(high, low) {
    const a = this.low & 0xffff, b = this.low >>> 16, c = low & 0xffff, d = low >>> 16;
    const ac = a * c, ad = a * d, bc = b * c;
    const middle = (ac >>> 16) + (ad & 0xffff) + (bc & 0xffff);
    const carry = Math.floor(middle / 65536) + (ad >>> 16) + (bc >>> 16) + b * d;
    this.high = (carry + Math.imul(this.high, low) + Math.imul(this.low, high)) >>> 0;
    this.low = (((middle & 0xffff) << 16) | (ac & 0xffff)) >>> 0;
  }
  step(code) {
    this.low = (this.low ^ code) >>> 0;
    this.times(0x9e3779b9, 0x7f4a7c15);
    return this;
  }
  last() {
    this.low = (this.low ^ this.high) >>> 0;
    this.times(0xd6e8feb8, 0x6659fd93);
    this.low = (this.low ^ this.high) >>> 0;
    return this;
  }
}

/** What the kernel knows of letters: scripts, lower case, Latin without its marks. */
class Letters {
  constructor(section) {
    this.firsts = section("span_firsts", Uint32Array);
    this.values = section("span_values", Uint16Array);
    this.latin = section("latin", Uint8Array);
    this.lowers = new Map();
    const runs = section("capitals", Int32Array);
    for (let i = 0; i < runs.length; i += 4) {
      for (let code = runs[i]; code <= runs[i + 1]; code += runs[i + 2]) this.lowers.set(code, code + runs[i + 3]);
    }
  }
  span(code) {
    let low = 0, high = this.firsts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.firsts[middle] <= code) low = middle;
      else high = middle;
    }
    return this.values[low];
  }
  script = (code) => this.span(code) >> 1;
  is = (code) => (code < 128 ? isAlpha(code) : (this.span(code) & 1) === 1);
  lower = (code) => this.lowers.get(code) ?? code;
  plain = (code) => {
    if (code < 128) return lowerAscii(code);
    const at = code >= 0xc0 && code < 0x250 ? code - 0xc0 : code >= 0x1e00 && code < 0x1f00 ? 0x250 - 0xc0 + code - 0x1e00 : -1;
    return (at >= 0 && this.latin[at]) || this.lower(code);
  };
  plainText = (codes) => String.fromCodePoint(...codes.map(this.plain));
}

/** Public suffixes; hosts and rules are strings of bytes. */
class Suffixes {
  constructor(text) {
    this.rules = new Map();
    for (const rule of text.split("\n")) {
      if (rule.startsWith("*.")) this.add(rule.slice(2), WILDCARD);
      else if (rule.startsWith("!")) this.add(rule.slice(1), EXCEPTION);
      else if (rule && !rule.startsWith("#")) this.add(rule, RULE);
    }
  }
  add(name, flag) {
    this.rules.set(name, (this.rules.get(name) ?? 0) | flag);
  }
  /** Where the suffix of a host begins: its last label where no rule applies. */
  find(host) {
    let found = -1, above = 0, previous = host.length;
    for (let i = host.length - 1; i >= 0; --i) {
      if (host[i] === "." || (i > 0 && host[i - 1] !== ".")) continue;
      const flags = this.rules.get(host.slice(i)) ?? 0;
      if (flags & EXCEPTION) return previous;
      if (flags & RULE || above & WILDCARD || found < 0) found = i;
      else if (!(flags & WILDCARD) && previous - i > 64) return found;
      above = flags;
      previous = i;
    }
    return Math.max(found, 0);
  }
}

/** Code points of bytes in UTF-8; what is none becomes U+FFFD byte by byte. */
function codesOf(bytes) {
  const out = [];
  for (let i = 0; i < bytes.length;) {
    const lead = bytes[i++];
    const more = lead >= 0xc2 && lead < 0xe0 ? 1 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xf0 && lead < 0xf5 ? 3 : 0;
    let code = lead < 0x80 ? lead : 0xfffd;
    if (more && i + more <= bytes.length && bytes.slice(i, i + more).every((b) => (b & 0xc0) === 0x80)) {
      let value = lead & (0x3f >> more);
      for (let k = 0; k < more; ++k) value = value * 64 + (bytes[i + k] & 0x3f);
      if (value >= [0, 0x80, 0x800, 0x10000][more] && value < 0x110000) {
        code = value;
        i += more;
      }
    }
    out.push(code);
  }
  return out;
}

/** A part of an address, percent-decoded. */
function decodePart(part, plus) {
  const bytes = [];
  for (let i = 0; i < part.length; ++i) {
    const escaped = part[i] === "%" && i + 2 < part.length && /^[0-9a-fA-F]{2}$/.test(part.slice(i + 1, i + 3));
    if (escaped) {
      bytes.push(parseInt(part.slice(i + 1, i + 3), 16));
      i += 2;
    } else bytes.push(part[i] === "+" && plus ? 32 : part.charCodeAt(i));
  }
  return codesOf(bytes);
}

/** RFC 3492; null where it is no punycode. */
function decodePunycode(label) {
  const dash = label.lastIndexOf("-");
  const out = [...label.slice(0, Math.max(dash, 0))].map((c) => c.charCodeAt(0));
  if (out.some((c) => c >= 0x80)) return null;
  let at = dash + 1, code = 128, index = 0, bias = 72;
  while (at < label.length) {
    const before = index;
    for (let k = 36, weight = 1; ; k += 36) {
      if (at >= label.length) return null;
      const c = label.charCodeAt(at++);
      const digit = isAlpha(c) ? (c | 0x20) - 97 : isDigit(c) ? c - 48 + 26 : 36;
      if (digit >= 36 || digit * weight > 0x10ffff * 64) return null;
      index += digit * weight;
      const least = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
      if (digit < least) break;
      weight *= 36 - least;
      if (weight > 0xfffffff) return null;
    }
    const total = out.length + 1;
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / total);
    let k = 0;
    for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
    bias = k + Math.floor((36 * delta) / (delta + 38));
    code += Math.floor(index / total);
    index %= total;
    if (code > 0x10ffff || total > 63) return null;
    out.splice(index++, 0, code);
  }
  return out;
}

/** A label of a host in its own script. */
const decodeLabel = (label) =>
  (label.startsWith("xn--") && label.length <= 63 ? decodePunycode(label.slice(4)) : null) ?? decodePart(label, false);

const isNumeric = (host) => /^[0-9.]*$/.test(host);

/** Host, path and query of an address, as strings of bytes, or the reason why it has none. */
function split(bytes) {
  let url = bytes.replace(/^[\x00-\x20]+/, "").replace(/[\x00-\x20]+$/, "");
  if (!url) return { reason: REASON.empty };
  if (url.length > LONGEST) return { reason: REASON.too_long };
  url = url.slice(0, READ);
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(url)?.[0];
  if (scheme) {
    if (url.startsWith("//", scheme.length)) url = url.slice(scheme.length + 2);
    else if (!/[0-9]/.test(url[scheme.length] ?? "") || !scheme.includes(".")) return { reason: REASON.not_a_page };
  } else if (url.startsWith("//")) url = url.slice(2);
  const end = url.search(/[/?#\\]/);
  let host = end < 0 ? url : url.slice(0, end);
  const rest = end < 0 ? "" : url.slice(end);
  if (host.includes("@")) return { reason: REASON.user_name };
  if (host.startsWith("[")) return { reason: REASON.ipv6_host };
  const port = host.lastIndexOf(":");
  if (port >= 0 && isNumeric(host.slice(port + 1))) host = host.slice(0, port);
  host = host.replace(/\.+$/, "");
  if (host.length > 255 || !/^(?!\.)[A-Za-z0-9\-._%\x80-\xff]+$/.test(host) || !host.includes(".")) return { reason: REASON.not_a_url };
  const mark = rest.search(/[?#]/);
  return { reason: 0, numeric: isNumeric(host), host, path: mark < 0 ? rest : rest.slice(0, mark), query: mark < 0 ? "" : rest.slice(mark + 1) };
}

const bucketOf = (count) => (count < 2 ? count : count < 4 ? 2 : count < 8 ? 3 : 4);

/** The features of one address. */
class Features {
  count = 0;
  texts = 0;
  national = false;
  home = false;
  mentions = [];
  tld = [];
  script = [];
  scripts = new Set();
  highs = new Uint32Array(MOST);
  lows = new Uint32Array(MOST);
  kinds = new Uint8Array(MOST);
  hash = new Hash();

  constructor(model) {
    this.letters = model.letters;
    this.codes = model.codes;
    this.scriptNames = model.scriptNames;
    this.suffixes = model.suffixes;
  }
  add(hash, kind, flag) {
    if (this.count === MOST) return;
    this.highs[this.count] = hash.high;
    this.lows[this.count] = hash.low;
    this.kinds[this.count++] = kind | flag;
    this.texts += kind >= KIND.word ? 1 : 0;
  }
  addCodes(kind, codes, flag) {
    const hash = this.hash.start(kind);
    for (const code of codes) hash.step(code);
    this.add(hash.last(), kind, flag);
  }
  addBytes = (kind, text, flag) => this.addCodes(kind, [...text].map((c) => c.charCodeAt(0)), flag);
  addNumber = (kind, what, number, flag) => this.addCodes(kind, [what, number], flag);
  addPlain = (kind, codes, flag) => this.addCodes(kind, codes.map(this.letters.plain), flag);

  /** Adds the meanings of a part; true where it is right often enough not to be read as words. */
  mention(place, rows) {
    const reliability = Math.max(0, ...(rows ?? []).map((row) => row.values[place]));
    if (reliability && this.mentions.length < MENTIONS) this.mentions.push({ place, rows });
    return reliability >= NAMED;
  }

  /** Cuts a part into words: runs of letters, broken by camelCase. */
  words(codes, flag) {
    let word = [], before = null, lower = false, digit = false;
    const flush = (atDigit) => {
      const done = word;
      word = [];
      lower = false;
      if (!done.length) return;
      const beside = digit || atDigit;
      digit = false;
      const cjk = done[0] >= CJK_FIRST && done[0] < CJK_LAST;
      if (!cjk && (done.length < 2 || (done.length <= BRIEF && beside))) return;
      const hash = this.hash.start(KIND.word);
      for (const code of done) hash.step(code);
      const state = [hash.high, hash.low];
      this.add(hash.last(), KIND.word, flag);
      if (before) this.add(this.hash.set(...before).step(state[0]).last(), KIND.words, flag);
      before = state;
      if (done.length <= 5 && TRIVIAL.has(String.fromCodePoint(...done))) return;
      if (cjk) this.grams(done, 1, CJK_HIGH, flag);
      else if (done.length >= 3) this.grams([32, ...done, 32], LOW, HIGH, flag);
    };
    for (const code of codes) {
      if (!this.letters.is(code)) {
        flush(isDigit(code));
        digit = isDigit(code);
        continue;
      }
      if (isMark(code)) continue;
      const upper = code >= 65 && code <= 90;
      if (word.length && ((upper && lower) || word.length === WORD)) flush(false);
      lower = code >= 97 && code <= 122;
      const plain = this.letters.plain(code);
      if (code >= 128) {
        if (plain < 128) this.addNumber(KIND.mark, 0, this.letters.lower(code), flag);
        else if (!word.length && !this.scripts.has(this.letters.script(code))) {
          this.scripts.add(this.letters.script(code));
          this.addNumber(KIND.script, 0, this.letters.script(code), flag);
          this.script = this.codes.tables.script.get(this.scriptNames[this.letters.script(code)]) ?? [];
        }
      }
      word.push(plain);
    }
    flush(false);
  }
  grams(word, low, high, flag) {
    for (let order = low; order <= Math.min(high, word.length); ++order) {
      for (let i = 0; i + order <= word.length && this.count < MOST; ++i) {
        const hash = this.hash.start(KIND.gram);
        for (let k = 0; k < order; ++k) hash.step(word[i + k]);
        this.add(hash.last(), KIND.gram, flag);
      }
    }
  }

  isCode(codes) {
    return codes.length >= 2 && codes.length <= CODE && codes.every((c, i) =>
      c === 45 || c === 95 ? i > 0 && i + 1 < codes.length : this.letters.is(c));
  }

  host(host) {
    const suffix = this.suffixes.find(host), tld = host.lastIndexOf(".") + 1;
    const country = this.codes.country(host.slice(tld));
    this.tld = this.codes.tables.tld.get(country) ?? [];
    this.addBytes(KIND.tld, country, HOST);
    this.national = host.length - tld === 2 || host.charCodeAt(tld) >= 128 || host.startsWith("xn--", tld);
    if (suffix < tld) this.addBytes(KIND.suffix, host.slice(suffix), HOST);
    this.addNumber(KIND.hyphens, 0, bucketOf(host.split("-").length - 1), HOST);
    if (suffix === 0) return;
    const names = host.slice(0, suffix - 1), own = names.lastIndexOf(".") + 1;
    this.addBytes(KIND.domain, host.slice(own), HOST);
    this.scripts.clear();
    let at = 0;
    for (const label of names.split(".")) {
      const before = at < own && label !== "www" && label !== "";
      const codes = decodeLabel(label);
      at += label.length + 1;
      if (before && this.mention(PLACE.label, this.codes.find(codes))) continue;
      if (before) this.addBytes(KIND.subdomain, label, HOST);
      this.words(codes, HOST);
    }
  }

  /** What the chunks of a segment name: index.fr, index_fr, my-index-fr, fr_index. */
  chunks(codes) {
    const isEdge = (c) => c === 46 || isJoint(c);
    const first = codes.findIndex(isEdge), last = codes.findLastIndex(isEdge);
    if (first <= 0 || last + 1 === codes.length) return;
    if (first === 2 && last === 2 && codes.length === 5) return; // de-it: a locale with a rare region or a pair of languages
    const place = codes[last] === 46 ? PLACE.dot : first === last ? PLACE.ending : PLACE.tail;
    this.mention(place, this.codes.find(codes.slice(last + 1)));
    if (codes[first] !== 45) this.mention(PLACE.start, this.codes.find(codes.slice(0, first)));
  }
  /** The name of a file without its type, which may be a language: deed.sv. */
  file(codes) {
    const dot = codes.lastIndexOf(46) + 1, type = codes.slice(dot);
    if (dot === 0) return codes;
    if (type.length >= 2 && type.length <= 5) this.addPlain(KIND.extension, type, 0);
    if (dot > 1 && type.length === 2 && !PROGRAM_TYPES.has(this.letters.plainText(type))) this.mention(PLACE.dot, this.codes.find(type));
    return codes.slice(0, dot - 1);
  }
  /** The mentions of a segment; true where it names a language as a whole. */
  names(codes, place) {
    if (this.mention(isCasedLocale(codes) ? PLACE.languageKey : place, this.codes.find(codes))) return true;
    const key = /^(lang|lng|language|locale)[=_:-](?=[^]{2})/u.exec(this.letters.plainText(codes))?.[0];
    if (key && this.mention(PLACE.languageKey, this.codes.find(codes.slice(key.length)))) return true;
    this.chunks(codes);
    return false;
  }
  path(path) {
    const codes = decodePart(path, false);
    this.scripts.clear();
    for (let begin = 0, i = 0; i <= codes.length; ++i) {
      if (i < codes.length && codes[i] !== 47) continue;
      const segment = codes.slice(begin, i), place = begin <= 1 ? PLACE.first : PLACE.later;
      begin = i + 1;
      const next = codes.slice(begin, begin + 2), ends = begin + 2 === codes.length || codes[begin + 2] === 47;
      if (segment.length === 2 && next.length === 2 && ends && this.isCode(segment) && this.isCode(next) &&
          this.mention(place, this.codes.pair(segment, next))) {
        i += 3;
        begin = i + 1;
        continue;
      }
      if (this.names(i === codes.length ? this.file(segment) : segment, place)) continue;
      if (this.isCode(segment)) this.addPlain(KIND.segment, segment, 0);
      this.words(segment, 0);
    }
    this.addNumber(KIND.hyphens, 1, bucketOf(codes.filter((c) => c === 45).length), 0);
  }

  isLanguageKey(codes) {
    const key = this.letters.plainText(codes);
    return key.includes("lang") || key.startsWith("loca") || key.startsWith("lng") || key.endsWith("lng") || LANGUAGE_KEYS.has(key);
  }
  query(query) {
    const codes = decodePart(query, true);
    this.scripts.clear();
    for (let begin = 0, equals = -1, i = 0; i <= codes.length; ++i) {
      if (i < codes.length && codes[i] === 61 && equals < 0) equals = i;
      if (i < codes.length && codes[i] !== 38 && codes[i] !== 59 && codes[i] !== 35) continue;
      const part = codes.slice(begin, i), value = equals < 0 ? [] : codes.slice(equals + 1, i);
      const place = equals >= 0 && this.isLanguageKey(codes.slice(begin, equals)) ? PLACE.languageKey : PLACE.value;
      if (equals < 0 || !this.mention(place, this.codes.find(value))) {
        if (equals >= 0 && this.isCode(value)) {
          this.addPlain(KIND.pair, part, QUERY);
          this.addPlain(KIND.value, value, QUERY);
        }
        this.words(part, QUERY);
      }
      begin = i + 1;
      equals = -1;
    }
  }

  read(parts) {
    if (!parts.numeric) this.host(parts.host.replace(/[A-Z]/g, (c) => c.toLowerCase()));
    this.home = parts.path.length <= 1 && !parts.query;
    if (parts.path.length > 1) this.path(parts.path);
    if (parts.query) this.query(parts.query);
    this.addNumber(KIND.shape, 0, (parts.path.length > 1 ? 1 : 0) | (parts.query ? 2 : 0) | (parts.numeric ? 4 : 0), 0);
  }
  /** Neither a country's domain nor a code. */
  get plain() {
    return !this.national && !this.mentions.length;
  }
  get setting() {
    return 2 * this.home + !this.national;
  }
}

const voiceOf = (kind) => {
  const plain = kind & PLAIN;
  const part = plain <= KIND.suffix ? 0 : kind & HOST ? 1 : kind & QUERY ? 3 : 2;
  return 2 * part + (plain >= KIND.word ? 1 : 0);
};

/** The model: `new UrlModel(bytes)` of the unpacked file, or `await UrlModel.load(response)` of the packed one. */
export class UrlModel {
  constructor(buffer) {
    const view = new DataView(buffer);
    if (new TextDecoder().decode(buffer.slice(0, 4)) !== "WTX1") throw new Error("not a packed URL model");
    const size = view.getUint32(4, true), start = 8 + size;
    const head = JSON.parse(new TextDecoder().decode(buffer.slice(8, start)));
    const section = (name, kind) => {
      const [begin, length] = head.sections[name];
      return new kind(buffer, start + begin, length / kind.BYTES_PER_ELEMENT);
    };
    const text = (name) => new TextDecoder().decode(section(name, Uint8Array));
    const byteText = (name) => Array.from(section(name, Uint8Array), (b) => String.fromCharCode(b)).join("");
    Object.assign(this, head);
    this.letters = new Letters(section);
    this.codes = new Codes(text("codes"), this.labels, this.letters, decodeLabel);
    this.suffixes = new Suffixes(byteText("suffixes"));
    this.tags = section("tags", Uint16Array);
    this.rows = section("rows", Int8Array);
    this.priors = section("priors", Int32Array);
    this.codePriors = section("code_priors", Int32Array);
    for (const name of ["bias", "mix", "scales", "exps", "logs"]) this[name] = section(name, name === "bias" ? Int32Array : Uint32Array);
    this.buckets = this.tags.length / this.bucket;
  }

  /** From a Response, or anything else whose body is the packed file. */
  static async load(response) {
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    return new UrlModel(await new Response(unpacked).arrayBuffer());
  }

  /** The row of a feature, -1 where the model does not know it: in one of two buckets, found by its tag. */
  rowOf(high, low) {
    const tag = low & 0xffff || 1;
    for (const half of [high, low]) {
      const bucket = Math.floor((half * this.buckets) / 4294967296);
      for (let place = 0; place < this.bucket; ++place) {
        if (this.tags[bucket * this.bucket + place] === tag) return place * this.buckets + bucket;
      }
    }
    return -1;
  }

  /** Sums of what each voice says for each label, exact whole numbers; how many features tell; null where none is known. */
  listen(features) {
    const count = this.known, sums = new Float64Array(VOICES * count);
    let telling = 0;
    for (let i = 0; i < features.count; ++i) {
      const row = this.rowOf(features.highs[i], features.lows[i]);
      if (row < 0) continue;
      telling += SILENT.has(features.kinds[i] & PLAIN) ? 0 : 1;
      const at = voiceOf(features.kinds[i]) * count;
      for (let k = 0; k < count; ++k) sums[at + k] += this.rows[row * count + k];
    }
    return { sums, telling };
  }

  logOf(mass) {
    const top = Math.floor(Math.log2(mass));
    const rest = top >= 8 ? Math.floor(mass / 2 ** (top - 8)) & 255 : (mass * 2 ** (8 - top)) & 255;
    return Math.trunc(((top - 30) * 726817) / 1024) + this.logs[rest];
  }

  /** The logarithm of a sum of exponentials. */
  logSum(logs) {
    const top = Math.max(...logs);
    let mass = 0;
    for (const log of logs) if (log >= top - WINDOW + NATS / 256) mass += this.exps[(top - log) >> 2];
    return top + this.logOf(mass);
  }

  /** What the top level domain and what all other parts say for each label of the model. */
  scores(features, sums) {
    const said = (k, voices) => {
      let sum = 0;
      for (const voice of voices) {
        const unit = voice % 2 === 0 ? this.scales[0] : features.texts ? this.scales[Math.min(features.texts, MOST)] : 0;
        sum += sums[voice * this.known + k] * Math.floor((unit * this.mix[features.setting * VOICES + voice]) / 4096);
      }
      return Math.floor(sum / 65536);
    };
    const labels = Array.from({ length: this.known }, (_, k) => k);
    return { top: labels.map((k) => said(k, [0, 1])), words: labels.map((k) => said(k, [2, 3, 4, 5, 6, 7])) };
  }

  /** The score of every label that an address is evidence for, as in native/url/classifier.cpp. */
  judge(features, sums) {
    const { top, words } = this.scores(features, sums), english = this.labels.indexOf("eng_Latn");
    const bias = this.bias.subarray(features.setting * this.known, (features.setting + 1) * this.known);
    if (english >= 0 && english < this.known && !features.plain) {
      const floor = words[english] + this.english_floor;
      words.forEach((said, k) => (words[k] = Math.max(said, floor)));
    }
    const others = new Map(), named = new Map();
    const isRoom = (label) => others.has(label) || others.size < OTHERS;
    for (const { label, values } of [...features.tld, ...features.script]) {
      const nats = Math.trunc((values[0] * NATS) / 100);
      if (label < this.known) top[label] += nats;
      else if (isRoom(label)) others.set(label, (others.get(label) ?? 0) + nats);
    }
    const region = top.map((said, k) => said + bias[k]), whole = region.map((said, k) => said + words[k]);
    const average = this.logSum(whole), level = this.logSum(region) + [...words].sort((a, b) => a - b)[this.known >> 1];
    for (const { place, rows } of features.mentions) {
      for (const { label, values } of rows) {
        if (!values[place] || (label >= this.known && !isRoom(label))) continue;
        if (label >= this.known && !others.has(label)) others.set(label, 0);
        const nats = Math.round(Math.log(values[place] / (1000 - values[place])) * NATS) - this.codePriors[label];
        named.set(label, Math.max(named.get(label) ?? -Infinity, nats));
      }
    }
    const evidence = (label, said) => (named.has(label) ? Math.max(said, average + this.code_floor) + named.get(label) : said);
    const totals = new Map(whole.map((said, k) => [k, this.priors[k] + evidence(k, said - this.priors[k])]));
    for (const [label, said] of others) totals.set(label, this.priors[label] + evidence(label, level + said));
    return totals;
  }

  /** The likeliest label of an address: `{ label, language, name, log, chance }`, or `{ reason }`. */
  classify(url) {
    if (!url.isWellFormed()) return { reason: "not_text" };
    const parts = split(Array.from(new TextEncoder().encode(url), (b) => String.fromCharCode(b)).join(""));
    if (parts.reason) return { reason: REASONS[parts.reason] };
    const features = new Features(this);
    features.read(parts);
    const { sums, telling } = this.listen(features);
    const totals = this.judge(features, sums);
    if (!telling && !features.national && !features.mentions.length && totals.size === this.known) return { reason: "says_nothing" };
    const top = Math.max(...totals.values());
    const best = Math.min(...[...totals].filter(([, total]) => total === top).map(([label]) => label));
    const most = features.plain && this.labels[best] === "eng_Latn" ? this.max_plain_english : 0;
    const log = Math.min(most, top - this.logSum([...totals.values()])) + 0; // no -0
    if (log < this.least) return { reason: "too_little" };
    return { label: this.labels[best], language: this.languages[best], name: this.english[best], log, chance: Math.exp(log / NATS) };
  }
}
