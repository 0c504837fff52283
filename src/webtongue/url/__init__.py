"""What language a page is in, by its URL alone."""
