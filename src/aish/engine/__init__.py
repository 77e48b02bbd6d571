"""The order of things: what happens between a question and its last event."""
