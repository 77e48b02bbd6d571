"""Which parts of a text are secrets, and how they are hidden and put back."""
