"""Persistent data: records of matches, settings, statistics and notes."""
