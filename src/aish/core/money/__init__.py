"""What requests cost, and when one more may not be made."""
