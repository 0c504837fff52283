"""Read, check and sample the training text of all models."""
