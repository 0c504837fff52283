"""A crawl in, the languages of the web out: one row a capture, tables over them, a report, and text of wanted languages."""
