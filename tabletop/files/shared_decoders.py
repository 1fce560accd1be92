"""Decoders that several threads use, each to be made while its module is imported.

One thread imports a module: in msgspec 0.22 two threads that read a kind for the first time crash.
"""

from typing import TypeVar

from msgspec import json, msgpack

T = TypeVar("T")


def json_decoder(kind: type[T]) -> json.Decoder[T]:
    """A decoder of JSON."""
    return json.Decoder(kind)


def msgpack_decoder(kind: type[T]) -> msgpack.Decoder[T]:
    """A decoder of MessagePack."""
    return msgpack.Decoder(kind)
