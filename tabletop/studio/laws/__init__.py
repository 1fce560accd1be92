"""Checks of the laws that every game must obey, as described in docs/laws.md."""
