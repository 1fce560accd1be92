"""No speed: what players make of the cards, and what a game asks of them."""
