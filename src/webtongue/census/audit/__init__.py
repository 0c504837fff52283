"""Judge the answers of a census by people (docs/audit.md): a sample, a page on loopback, agreement, precision."""
