"""Train the URL model."""
