"""Decoders that several threads use, each to be made while its module is imported.

One thread imports a module: in msgspec 0.22 two threads that read a kind for the first time crash.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import DecodeError, json, msgpack

T = TypeVar("T")


class FileDecoder(Generic[T]):
    """Decodes content that anybody may have written."""

    def __init__(self, decode: Callable[[bytes | bytearray], T]) -> None:
        self._decode = decode

    def decode(self, content: bytes | bytearray) -> T:
        """Return the value.

        Raises:
            MsgspecError, ValueError: the content is of another kind, or nested too deeply.
        """
        try:
            return self._decode(content)
        except RecursionError as error:
            raise DecodeError("nested too deeply") from error


def json_decoder(kind: type[T]) -> FileDecoder[T]:
    """A decoder of JSON."""
    return FileDecoder(json.Decoder(kind).decode)


def msgpack_decoder(kind: type[T]) -> FileDecoder[T]:
    """A decoder of MessagePack."""
    return FileDecoder(msgpack.Decoder(kind).decode)
