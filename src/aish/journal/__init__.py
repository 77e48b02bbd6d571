"""What is kept of a session."""
