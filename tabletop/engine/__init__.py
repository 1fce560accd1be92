"""The model of every game: zones of cards, public values, open questions."""
