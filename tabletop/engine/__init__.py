"""The model under every game: zones of cards, public values, open questions."""
