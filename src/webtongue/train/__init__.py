"""Training: text in, a model file out. A room for each model, each with one public function, ``train.train``."""
