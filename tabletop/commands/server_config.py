"""A server's configuration: a TOML file, and flags of the same names, which win over it."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.commands.arguments import UsageError
from tabletop.files.errors import not_readable
from tabletop.files.regular_file import MIB, read_regular
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.net.host.log_lines import LogFormat
from tabletop.net.host.reverse_proxy import ReverseProxy
from tabletop.net.host.tenants import ListedFor, Tenant
from tabletop.net.invitation import PORT, Address, read_link
from tabletop.net.limits import Limits
from tabletop.text.plain_text import LONGEST_NAME, plain, shown_name

LONGEST_KEY = 100
"""Characters of a key: as many as a message carries."""

USUAL = Limits()
Some = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]


class RoomConfig(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A room of the server, with its key; a limit of 0 means none of its own."""

    key: str = ""
    key_file: str = ""
    max_tables: Count = 0
    max_guests: Count = 0
    openings_a_minute: Count = 0
    bot_seconds: Seconds = 0
    listed_for: ListedFor = "members"


class ServerConfig(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The configuration of `tabletop serve`."""

    bind: str = ""
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    data: str = ""
    known_as: str = ""
    """The server's address for guests, where it isn't the one it listens at."""
    proxy: tuple[str, ...] = ()
    """Addresses of proxies, whose connections start with the guest's own address."""
    key_file: str = ""
    listed_for: ListedFor = "everybody"
    log_format: LogFormat = "lines"
    max_tables: Some = USUAL.tables
    max_tables_per_address: Count = 0
    """0 means half of all, and at most 16."""
    max_guests: Some = USUAL.connections
    max_guests_per_address: Some = USUAL.connections_per_address
    max_guests_per_table: Some = USUAL.guests_per_table
    openings_a_minute: Some = USUAL.openings_a_minute
    messages_a_second: Some = round(USUAL.messages_a_second)
    wrong_codes: Some = USUAL.codes_per_address
    bot_seconds: Seconds = 0
    open_records: bool = USUAL.open_records
    """Whether tables may publish their finished matches to everybody with the link."""
    take_games: bool = USUAL.takes_games
    """Whether a table that moves here brings its game along, where that has no Python."""
    min_free: Count = USUAL.disk_free // MIB
    """The space of the disk to keep free, in MiB."""
    metrics: str = ""
    """The address for metrics; empty for none."""
    operator_page: str = ""
    """Ignored; former versions had such a page."""
    games: tuple[str, ...] = ()
    """Folders of games outside the package, or of several."""
    rooms: dict[str, RoomConfig] = {}

    @property
    def reverse_proxy(self) -> ReverseProxy:
        """The proxy before the server.

        Raises:
            UsageError: an address is invalid.
        """
        try:
            proxies = tuple(str(ip_address(proxy)) for proxy in self.proxy)
            link = read_link(self.known_as) if self.known_as else None
        except ValueError as error:
            raise UsageError(f"{str(error).rstrip('.')}.") from error
        return ReverseProxy(proxies, Address((link.host,), link.port) if link else None)

    @property
    def limits(self) -> Limits:
        """The limits of the host."""
        usual = max(1, min(USUAL.tables_per_address, self.max_tables // 2))
        return Limits(
            tables=self.max_tables,
            tables_per_address=self.max_tables_per_address or usual,  # nobody fills it alone
            openings_a_minute=self.openings_a_minute,
            connections=self.max_guests,
            connections_per_address=self.max_guests_per_address,
            guests_per_table=self.max_guests_per_table,
            messages_a_second=self.messages_a_second,
            burst=4 * self.messages_a_second,
            codes_per_address=self.wrong_codes,
            disk_free=self.min_free * MIB,
            open_records=self.open_records,
            takes_games=self.take_games,
        )


def read_config(path: Path | None) -> tuple[ServerConfig, tuple[Tenant, ...]]:
    """Return the content of a server's file, with the tenants in it; without a file the defaults.

    Relative paths in it start at its folder.

    Raises:
        UsageError: an entry is unknown, missing or invalid; with its line.
        StorageError: it, or a key's file, can't be read.
    """
    if path is None:
        return ServerConfig(), ()
    try:
        return _read(path)
    except BrokenFile as error:
        raise UsageError(f"{error}.".replace("?.", "?")) from error


def _read(path: Path) -> tuple[ServerConfig, tuple[Tenant, ...]]:
    file = TomlFile(path.name, _text(path))
    config = file.read(ServerConfig)
    rooms: list[Tenant] = []
    for name, entry in config.rooms.items():
        where = ("rooms", name)
        if not _is_name(name):
            raise file.broken(where, f"a room has a name of 1 to {LONGEST_NAME} signs")
        if bool(entry.key) == bool(entry.key_file):
            raise file.broken(where, f'the room "{name}" needs either a "key" or a "key-file"')
        key = entry.key or key_in(path.parent / entry.key_file)
        if any(room.key == key for room in rooms):
            raise file.broken(where, f'the room "{name}" has the key of another room')
        rooms.append(
            Tenant(
                name,
                key,
                entry.max_tables,
                entry.max_guests,
                entry.openings_a_minute,
                entry.bot_seconds,
                entry.listed_for,
                str(path.parent / entry.key_file) if entry.key_file else "",
            )
        )
    if config.key_file:
        config = replace(config, key_file=str(path.parent / config.key_file))
    config = replace(config, games=tuple(str(path.parent / each) for each in config.games))
    return config, tuple(rooms)


def with_flags(rooms: Sequence[Tenant], flags: Sequence[str]) -> tuple[Tenant, ...]:
    """The rooms of the file, and those of flags like `friday=friday.key`, whose key wins.

    Raises:
        UsageError: a flag names no room, or no key.
    """
    by_name = {room.name: room for room in rooms}
    for flag in flags:
        name, _, file = flag.partition("=")
        if not file or not _is_name(name):
            raise UsageError(f'--room cannot be "{flag}": it is NAME=FILE.')
        room = by_name.get(name, Tenant(name, listed_for="members"))
        by_name[name] = replace(room, key=key_in(Path(file)), key_file=file)
        if sum(room.key == by_name[name].key for room in by_name.values()) > 1:
            raise UsageError(f'The room "{name}" has the key of another room.')
    return tuple(by_name.values())


def _is_name(name: str) -> bool:
    return bool(name) and plain(name) == name


def own_room(config: ServerConfig) -> Tenant:
    """The server's own room, whose limits are those of the whole server."""
    key = key_in(Path(config.key_file)) if config.key_file else ""
    return Tenant(
        "",
        key,
        bot_seconds=config.bot_seconds,
        listed_for=config.listed_for,
        key_file=config.key_file,
    )


def key_in(file: Path) -> str:
    """The key in the first line of a file.

    Raises:
        UsageError: there is none.
        StorageError: it cannot be read.
    """
    first, *_ = (*_text(file).splitlines(), "")
    key = first.strip()
    if not key or len(key) > LONGEST_KEY or not key.isprintable():
        raise UsageError(f'"{shown_name(file)}" holds no key in its first line.')
    return key


def _text(file: Path) -> str:
    try:
        return read_regular(file, MIB).decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f'"{shown_name(file)}" cannot be read: it is no text.') from error
    except OSError as error:
        raise not_readable(error, file.name) from error
