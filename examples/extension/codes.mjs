// What parts of an address may name: native/url/codes.cpp in JavaScript, over the table data/url_codes.tsv.

const PLACES = 9, NAME = 24; // places of an address, letters of a name
const SCRIPTS = new Set(["hans", "hant", "latn", "cyrl", "arab"]);

export const isMark = (c) => c >= 0x300 && c < 0x370;
export const isJoint = (c) => c === 45 || c === 95;

/** Whether the case marks a part as a locale: lv_FI, pt-BR. */
export const isCasedLocale = (codes) => codes.length === 5 && /^[a-z]{2}[-_][A-Z]{2}$/.test(String.fromCodePoint(...codes));

/** What parts of an address may name: rows of a label and values by place. */
export class Codes {
  /** `decode` gives the code points of a label of a host. */
  constructor(text, labels, letters, decode) {
    this.letters = letters;
    this.decode = decode;
    this.tables = { token: new Map(), locale: new Map(), pair: new Map(), tld: new Map(), script: new Map() };
    this.regions = new Map();
    this.aliases = new Map();
    const numbers = new Map(labels.map((label, number) => [label, number]));
    for (const line of text.split("\n")) {
      const [token, form, label, ...values] = line.split("\t");
      if (!line || line.startsWith("#")) continue;
      if (form === "region") this.regions.set(token, label ? label.split(" ") : []);
      else if (form === "alias") this.aliases.set(token, label);
      else if (numbers.has(label)) this.add(token, form, { label: numbers.get(label), values: Array.from({ length: PLACES }, (_, i) => Number(values[i] ?? 0)) });
    }
  }
  add(token, form, row) {
    const codes = [...token].map((c) => c.codePointAt(0)).slice(0, NAME);
    const [kind, key] = form === "tld" || form === "script" ? [form, token]
      : token.endsWith("-*") ? ["locale", token.slice(0, 2)] : token.length === 5 && token[2] === "-" ? ["pair", token] : ["token", this.key(codes)];
    if (key) this.tables[kind].set(key, [...(this.tables[kind].get(key) ?? []), row]);
  }
  /** Letters only; empty where something else than hyphens, underscores and spaces stands between them. */
  key(codes) {
    const kept = codes.filter((c) => !isJoint(c) && c !== 32 && !isMark(c));
    return kept.length >= 2 && kept.every(this.letters.is) ? this.letters.plainText(kept) : "";
  }
  find(codes) {
    if (codes.length < 2 || codes.length > NAME) return null;
    const joined = codes.some(isJoint);
    const chunks = this.letters.plainText(codes).split(/[-_]/);
    const cased = isCasedLocale(codes) && this.regions.has(chunks[1]) ? this.tables.locale.get(chunks[0]) : null;
    const locale = cased ?? (joined && codes.length <= 10 ? this.locale(chunks) : null);
    if (locale || (joined && codes.length < 6)) return locale;
    return this.tables.token.get(this.key(codes)) ?? null;
  }
  locale(chunks) {
    const { locale, pair } = this.tables, [first, second, third] = chunks;
    if (chunks.length === 3) return third.length === 2 && SCRIPTS.has(second) ? locale.get(first) ?? null : null;
    if (chunks.length !== 2) return null;
    return pair.get(`${first}-${second}`) ?? (this.fits(first, second) ? locale.get(first) : null) ??
      (this.fits(second, first) ? locale.get(second) : null) ?? null;
  }
  /** Whether a code and what stands beside it are a language and its region. */
  fits(language, region) {
    if (language.length !== 2 || SCRIPTS.has(region) || language === region) return language.length === 2;
    const languages = this.regions.get(region);
    return languages !== undefined && (!languages.length || language === "en" || languages.includes(language));
  }
  /** Two codes in neighbouring segments of a path. */
  pair(first, second) {
    const [a, b] = [this.letters.plainText(first), this.letters.plainText(second)], { locale, pair } = this.tables;
    if (pair.has(`${a}-${b}`) || a === b) return pair.get(`${a}-${b}`) ?? locale.get(a) ?? null;
    const begins = locale.has(a) && this.regions.has(b), ends = locale.has(b) && this.regions.has(a);
    return begins === ends ? null : locale.get(begins ? a : b);
  }
  /** The country code of a top level domain in another script; any other one as it is. */
  country(tld) {
    if (!tld || tld.length > 63 || !(tld.charCodeAt(0) >= 128 || tld.startsWith("xn--"))) return tld;
    return this.aliases.get(String.fromCodePoint(...this.decode(tld))) ?? tld;
  }
}
