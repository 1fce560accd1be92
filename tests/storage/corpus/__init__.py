"""Saves of every format that was ever released, a folder for each."""

from pathlib import Path

CORPUS = Path(__file__).parent
LATEST = max(CORPUS.glob("format-*"), key=lambda folder: int(folder.name.split("-")[1]))
"""The saves of today's format."""
