"""Damage done to bytes and to JSON: what disks, editors and hostile computers make of good ones."""

import json
import random
from collections.abc import Callable
from typing import Any

Mutation = Callable[[bytes, random.Random], bytes]

ODD = (
    None, True, False, 0, -1, -2, 1, 2**31, 2**63, -(2**63), 10**30, 0.5, 1e308, "", " ", "\0",
    "\n", "\u202e", "é" * 300, "../..", "{name}", "{0.__class__}", "%s", "sun", "1", [], {}, [[]],
    {"": {}}, [None], {"a": 1},
)  # fmt: skip
"""Values in the place of expected ones."""


def _cut(data: bytes, chance: random.Random) -> tuple[int, int]:
    """A stretch of the data, at most a few hundred bytes long."""
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 2, 7, 64, 512)))


def change_byte(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]


def flip_bit(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def remove(data: bytes, chance: random.Random) -> bytes:
    start, stop = _cut(data, chance)
    return data[:start] + data[stop:]


def insert(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.choice((1, 4, 100))) + data[at:]


def repeat(data: bytes, chance: random.Random) -> bytes:
    start, stop = _cut(data, chance)
    return data[:stop] + data[start:stop] + data[stop:]


def blank(data: bytes, chance: random.Random) -> bytes:
    """Zeros, as a file system leaves them where the power failed."""
    start, stop = _cut(data, chance)
    return data[:start] + bytes(stop - start) + data[stop:]


def end_early(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def change_lines(data: bytes, chance: random.Random) -> bytes:
    """Two lines in each other's place, one twice, or one away."""
    lines = data.splitlines(keepends=True)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(3):
        case 0:
            lines[one], lines[other] = lines[other], lines[one]
        case 1:
            lines.insert(other, lines[one])
        case _:
            del lines[one]
    return b"".join(lines)


def write_otherwise(data: bytes, chance: random.Random) -> bytes:
    """As editors save: other ends of lines, a mark at the beginning, another encoding."""
    match chance.randrange(4):
        case 0:
            return data.replace(b"\n", b"\r\n")
        case 1:
            return b"\xef\xbb\xbf" + data
        case 2:
            return data.decode(errors="replace").encode("utf-16")
        case _:
            return data + data


def change_value(data: bytes, chance: random.Random) -> bytes:
    """A line that is JSON with another value or key somewhere in it."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except ValueError:
        return change_byte(data, chance)
    lines[at] = json.dumps(otherwise(value, chance)).encode() + b"\n"
    return b"".join(lines)


def otherwise(value: Any, chance: random.Random) -> Any:
    """The same JSON with an odd value, a lost key or a strange one at a random place in it."""
    if not isinstance(value, dict | list) or not value or chance.random() < 0.1:
        return chance.choice(ODD)
    if isinstance(value, list):
        at = chance.randrange(len(value))
        return [*value[:at], otherwise(value[at], chance), *value[at + 1 :]]
    key = chance.choice(list(value))
    match chance.randrange(8):
        case 0:
            return {name: each for name, each in value.items() if name != key}
        case 1:
            return value | {str(chance.choice(ODD)): chance.choice(ODD)}
        case _:
            return value | {key: otherwise(value[key], chance)}


MUTATIONS: tuple[Mutation, ...] = (
    change_byte,
    flip_bit,
    remove,
    insert,
    repeat,
    blank,
    end_early,
    change_lines,
    write_otherwise,
    change_value,
    change_value,
)


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The data after one to three of these damages."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if data:
            data = chance.choice(MUTATIONS)(data, chance)
    return data
