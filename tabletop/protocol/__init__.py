"""Messages, invitations and proofs that guests and hosts exchange. The package opens no sockets."""
