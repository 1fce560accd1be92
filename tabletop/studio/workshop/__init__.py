"""Tools for game designers: creating game folders, checking them, and reporting findings."""
