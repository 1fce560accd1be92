"""Bots of one checkout against those of another: `python -m tests.bench.duels OLD GAME`."""
