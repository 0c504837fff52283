"""Tests on a real cluster of Spark: a master and two workers on loopback."""
