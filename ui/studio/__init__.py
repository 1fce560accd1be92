"""Screens of the studio. See `tabletop/studio/` for what belongs to the studio."""
