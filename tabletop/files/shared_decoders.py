"""msgspec decoders that several threads share.

Create them while a module is imported: msgspec 0.22 crashes if two threads create a decoder of the
same type at once.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import DecodeError, json, msgpack

T = TypeVar("T")


class FileDecoder(Generic[T]):
    """A decoder of untrusted content."""

    def __init__(self, decode: Callable[[bytes | bytearray], T]) -> None:
        self._decode = decode

    def decode(self, content: bytes | bytearray) -> T:
        """Return the decoded value of `content`.

        Raises:
            MsgspecError, ValueError: the content is malformed, has another type, or is nested too
            deeply.
        """
        try:
            return self._decode(content)
        except RecursionError as error:
            raise DecodeError("nested too deeply") from error


def json_decoder(kind: type[T]) -> FileDecoder[T]:
    """Return a JSON decoder for values of type `kind`."""
    return FileDecoder(json.Decoder(kind).decode)


def msgpack_decoder(kind: type[T]) -> FileDecoder[T]:
    """Return a MessagePack decoder for values of type `kind`."""
    return FileDecoder(msgpack.Decoder(kind).decode)
