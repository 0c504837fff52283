"""Readable twins of the kernel's functions: slow, short, and right by the look of it."""
