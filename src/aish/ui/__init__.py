"""What the user sees and types."""
