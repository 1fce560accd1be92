"""This computer's networks, and discovery of hosts on them."""
