"""What is remembered across sessions."""
