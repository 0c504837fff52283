"""Train the model of encodings."""
