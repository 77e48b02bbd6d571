"""What fits a model's window, and what stays when not all of it does."""
