"""The studio's screens. `tabletop/studio/` says what belongs to the studio."""
