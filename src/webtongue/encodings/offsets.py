from collections.abc import Sequence


def to_page(raw: bytes, encoding: str, offsets: Sequence[int]) -> list[int]:
    return [min(o, len(raw)) for o in offsets]
