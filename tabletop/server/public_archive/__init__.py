"""The public page of a server: its open tables, and replays of finished matches."""
