"""Write src/webtongue/data/suffixes.txt: the rules of the Public Suffix List that tldextract bundles.

The snapshot of the installed tldextract is read, never the network. Rules with letters outside ASCII are written twice, as in the
list and in punycode, since host names come in both forms.
"""

from pathlib import Path

import tldextract

HEADER = (
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
            rules.add(
                ".".join(
                    part if part.isascii() else "xn--" + part.encode("punycode").decode() for part in rule.split(".")
                )
            )
    path = Path(__file__).parents[2] / "src" / "webtongue" / "data" / "suffixes.txt"
    path.write_text(HEADER.format(tldextract.__version__) + "\n".join(sorted(rules)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
