"""Wiring: the parts put together, with the values of the configuration."""
