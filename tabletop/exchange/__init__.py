"""Sharing of games as files.

Importers of other programs' games are in `tabletop/studio/exchange/`.
"""
