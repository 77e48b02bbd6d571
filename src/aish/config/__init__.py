"""The typed configuration and where each value came from."""
