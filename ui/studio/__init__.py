"""Screens of the studio. `tabletop/studio/` describes what belongs to the studio."""
