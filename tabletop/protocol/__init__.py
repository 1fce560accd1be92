"""What guests and hosts say to each other: messages, invitations and proofs; no sockets."""
