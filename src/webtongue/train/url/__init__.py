"""The URL model."""
