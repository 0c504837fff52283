"""A step for Ray Data: from a dataset of pages to a dataset of answers, in Arrow batches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from webtongue.integrations import arrow

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["identify"]

BATCH_ROWS = 1024  # about 100 MB of pages


def identify(
    dataset: Any,
    *,
    identifier: Identifier | None = None,
    keep: Sequence[str] = (),
    prefix: str = "",
    batch_size: int = BATCH_ROWS,
    **names: str,
) -> Any:
    """Return the dataset of answers, computed lazily by Ray; arguments are those of :func:`webtongue.integrations.arrow.identify`.

    Settings are sent to the workers of Ray, the model is not: each worker maps the file that is installed there. A task has one
    core by default and uses one thread; ``keep`` names columns to copy, such as the URL.
    """
    step = partial(arrow.identify, identifier=identifier, keep=tuple(keep), prefix=prefix, threads=1, **names)
    return dataset.map_batches(step, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True)
