"""Train the font model."""
