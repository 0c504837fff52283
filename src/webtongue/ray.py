"""A step for Ray Data: a dataset of pages in, a dataset of answers out, a block at a time through Arrow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from webtongue import arrow

if TYPE_CHECKING:
    from webtongue import Identifier

__all__ = ["identify"]

ROWS = 1024  # of a batch: some 100 MB of pages


def identify(
    dataset: Any,
    *,
    identifier: Identifier | None = None,
    keep: Sequence[str] = (),
    prefix: str = "",
    batch_size: int = ROWS,
    **names: str,
) -> Any:
    """The dataset of answers, worked out when Ray is asked for it; arguments are those of :func:`webtongue.arrow.identify`.

    Settings travel to Ray's workers, the model does not: each worker maps the file that is installed there. A task has one core by
    default and uses one thread; ``keep`` names the columns that go along, such as the address.
    """
    step = partial(arrow.identify, identifier=identifier, keep=tuple(keep), prefix=prefix, threads=1, **names)
    return dataset.map_batches(step, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True)
