"""Tests of estimates from an index."""
