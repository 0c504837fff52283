"""Training text: reading, checking, sampling it; what all models are trained from."""
