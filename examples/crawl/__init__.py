"""What the demo crawl is made of: texts, sites, pages, oddities, and the writing of WARC. See ../README.md."""
