"""OpenAI-compatible HTTP: streaming chat, token counts, probes."""
