"""What the text stage decides by. Set on text held out of training, and by what users of each answer expect."""

from __future__ import annotations

FEW_LETTERS = 2  # below this no model says anything
TOP = 5  # guesses that are looked at and shown
HOLDS = 0.8  # share of the text that a page's language must hold (Kikui 1996, section 5.1): else it is `mul`
SECOND = 0.05  # share that a second language needs to count at all: quotations and names are not a language of the page
TOLD_APART = 0.5  # a member of a group is answered if it is likelier than all others together, else the group
OF_GROUP = 0.8  # probability that the group must have for that
SURE = 0.9  # probability from which an answer is called reliable
ENOUGH_LETTERS = 20  # letters from which an answer is called reliable
