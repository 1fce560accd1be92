"""Tabletop 卓: all that needs no screen."""

__version__ = "0.1.0"
