"""A web to crawl, made up: hosts, pages and links in fifty languages, whose labels are known, served on loopback."""
