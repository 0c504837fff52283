"""The language model."""
