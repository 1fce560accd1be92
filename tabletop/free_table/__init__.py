"""Free tables: games without rules of their own, as in the sandbox of a tabletop simulator.

A file lists the components and who may use them. One set of rules serves all such games.
"""
