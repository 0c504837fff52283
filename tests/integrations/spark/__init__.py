"""Tests on a Spark cluster: a master and two workers on loopback."""
