"""What whoever makes games is helped with."""
