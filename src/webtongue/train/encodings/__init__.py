"""The model of encodings."""
