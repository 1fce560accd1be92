"""Tables that several computers share: one hosts, the others are its guests."""
