"""Reference data: countries, domains, IP addresses, speakers, and how common languages are on the web."""

from __future__ import annotations
