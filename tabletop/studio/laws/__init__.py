"""The laws that every game keeps, whatever it is: docs/laws.md."""
