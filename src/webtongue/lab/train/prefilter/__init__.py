"""Which words of four bytes are text of a language: trains what webtongue.text.prefilter looks with."""
