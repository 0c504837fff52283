"""Writes src/webtongue/data/suffixes.txt: the rules of the Public Suffix List that tldextract bundles.

Never the network: the snapshot inside the installed tldextract is read. Rules with other than ASCII letters are written
twice, as the list has them and in punycode, since hosts come in both forms.
"""

from pathlib import Path

import tldextract

HEAD = (
    "# Public Suffix List (https://publicsuffix.org), MPL-2.0, by way of tldextract {}; tools/tables/make_suffixes.py\n"
)


def main() -> None:
    snapshot = Path(tldextract.__file__).parent / ".tld_set_snapshot"
    rules = set()
    for line in snapshot.read_text("utf-8").splitlines():
        rule = line.split("//")[0].strip()
        if not rule:
            continue
        rules.add(rule)
        if not rule.isascii():
            rules.add(".".join(p if p.isascii() else "xn--" + p.encode("punycode").decode() for p in rule.split(".")))
    out = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "suffixes.txt"
    out.write_text(HEAD.format(tldextract.__version__) + "\n".join(sorted(rules)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
