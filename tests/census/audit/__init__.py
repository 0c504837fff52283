"""Tests of audits: judgements of people."""
