"""Sharing of games as files.

Importers for the games of other programs are in `tabletop/studio/exchange/`.
"""
