"""The public page of a server: its open tables, and its finished matches to be watched again."""
