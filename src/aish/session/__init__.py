"""One conversation with no screen; the prompt and the command line are faces of it."""
