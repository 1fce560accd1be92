"""The free table: a game without rules of its own. A file says what lies there and who may do what
with it; one rules controller serves all such games (a sandbox, as tabletop simulators call it)."""
