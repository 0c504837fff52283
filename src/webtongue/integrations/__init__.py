"""Adapters to other engines: Arrow, DuckDB, Polars, datatrove, Ray and Spark."""

from __future__ import annotations
