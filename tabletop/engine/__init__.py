"""The abstraction every game stands on: zones of cards, public values, open questions."""
