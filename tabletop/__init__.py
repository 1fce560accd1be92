"""Tabletop 卓: all that needs no screen."""

__version__ = "0.3.0"
