"""From what the command line names to sources: files of every kind, folders, lists of paths, standard input, addresses.

Sources come in the order in which they were named, and the same inputs give the same sources: a census that was broken off goes on
by their numbers. What is not there becomes a source all the same, and a row with a reason when it is read.
"""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Iterator, Sequence
from typing import BinaryIO, cast

from webtongue.census.config import Config
from webtongue.census.items import Source
from webtongue.census.read import local, saved
from webtongue.census.read.jsonlines import lines
from webtongue.census.read.kinds import LIST, kind_of_bytes, kind_of_name, opening
from webtongue.census.read.members import next_member
from webtongue.census.read.opening import STDIN, is_remote, listed, opened, standard_input
from webtongue.census.read.unpack import Packing, Unpacked, packing_of
from webtongue.errors import UsageError

__all__ = ["SPLIT", "sources_of"]

SPLIT = 1 << 30  # bytes of a packed archive that one worker reads at a time; Common Crawl's files have as many
INDEX_LINES = 500  # pages of a folder's index that make one source
LONGEST_PATH = 1 << 14  # bytes of a line of a list
DEEPEST = 3  # lists that may name lists
"""
"""
