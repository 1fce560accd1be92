"""What whoever makes games is helped with: a folder is checked, and what is found told plainly."""
