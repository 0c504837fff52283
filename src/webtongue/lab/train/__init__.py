"""Train models: text in, a model file out. Each model has a package whose module ``train`` has one public function, ``train``."""
