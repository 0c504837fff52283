"""A generated web to crawl: hosts, pages and links in fifty languages with known labels, served on loopback."""
