"""The font model."""
