"""Estimate a census from the index of a crawl and a sample of its records (docs/estimate.md)."""
