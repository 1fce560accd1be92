"""msgspec decoders that several threads share; create them while their module is imported.

In msgspec 0.22, two threads that create a decoder of one type at the same time crash.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import DecodeError, json, msgpack

T = TypeVar("T")


class FileDecoder(Generic[T]):
    """Decodes untrusted content."""

    def __init__(self, decode: Callable[[bytes | bytearray], T]) -> None:
        self._decode = decode

    def decode(self, content: bytes | bytearray) -> T:
        """Return the decoded value.

        Raises:
            MsgspecError, ValueError: the content has another type, or is nested too deeply.
        """
        try:
            return self._decode(content)
        except RecursionError as error:
            raise DecodeError("nested too deeply") from error


def json_decoder(kind: type[T]) -> FileDecoder[T]:
    """Return a decoder of JSON for type `kind`."""
    return FileDecoder(json.Decoder(kind).decode)


def msgpack_decoder(kind: type[T]) -> FileDecoder[T]:
    """Return a decoder of MessagePack for type `kind`."""
    return FileDecoder(msgpack.Decoder(kind).decode)
