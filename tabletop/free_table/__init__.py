"""The free table: a game without rules of its own. A file has its components and the permissions
to use them; one rules controller serves all such games, the sandbox of tabletop simulators."""
