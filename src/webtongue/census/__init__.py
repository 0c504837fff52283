"""The census of a crawl: a row for each capture, tables over the rows, a report, and the text of chosen languages."""
