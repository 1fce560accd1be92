"""Networking for shared tables: one computer hosts, the others are its guests."""
