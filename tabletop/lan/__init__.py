"""The networks that this computer is in, and the hosts that are found there."""
