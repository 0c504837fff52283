"""Modules with the functions and types of other packages, answered by webtongue: change the import, keep the code.

``langdetect``, ``langid`` (also for py3langid), ``fasttext``, ``pycld2``, ``lingua``, ``chardet`` and ``charset_normalizer``;
docs/switching.md says what changes with each. None of these packages is needed.

>>> from webtongue.compat import langdetect
>>> langdetect.detect("Hvar er bókasafnið og hvenær er það opið?")
'is'
"""
