"""Which model answers and how: presets, routing, redaction, spending."""
