"""The free table: a game without rules of its own. A file says what is on the table and who may use
it; one rules controller serves all such games (a sandbox, as tabletop simulators call it)."""
