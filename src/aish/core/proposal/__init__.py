"""From a request to one command line: what the model is told, and which of its answers is best."""
