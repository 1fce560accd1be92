"""A server's configuration: a TOML file, and flags of the same names, which win over it."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from tabletop.commands.arguments import UsageError
from tabletop.commands.key_file import read_text_file
from tabletop.files.regular_file import MIB
from tabletop.games.typed_toml import BrokenFile, TomlFile
from tabletop.net.limits import Limits
from tabletop.protocol.invitation import PORT, BadInvitation, read_server
from tabletop.server.log_lines import LogFormat
from tabletop.server.public_list import ListedFor
from tabletop.server.reverse_proxy import ReverseProxy

USUAL = Limits()
Some = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]


class ServerConfig(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The configuration of `tabletop serve`."""

    bind: str = ""
    """The address to listen at; empty for all."""
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    """The port to listen at; 0 for any free one."""
    data: str = ""
    """The folder of the server's tables; empty for the usual one."""
    known_as: str = ""
    """The server's address for guests, where it isn't the one it listens at."""
    proxy: tuple[str, ...] = ()
    """Addresses of proxies, whose connections start with the guest's own address."""
    key_file: str = ""
    """The file with the key for opening tables; empty where anyone may open them."""
    listed_for: ListedFor = "everybody"
    """Who may see listed tables."""
    log_format: LogFormat = "lines"
    """The form of the log: lines of text, or JSON."""
    max_tables: Some = USUAL.tables
    """Tables at once."""
    max_tables_per_address: Count = 0
    """0 means half of all, and at most 16."""
    max_guests: Some = USUAL.connections
    """Guests at once."""
    max_guests_per_address: Some = USUAL.connections_per_address
    """Guests at once from one address."""
    max_guests_per_table: Some = USUAL.guests_per_table
    """Guests at once at one table."""
    openings_a_minute: Some = USUAL.openings_per_minute
    """Tables that one address may open in a minute."""
    messages_a_second: Some = round(USUAL.messages_per_s)
    """Messages that one guest may send in a second."""
    wrong_codes: Some = USUAL.codes_per_address
    """Wrong codes or keys from one address in five minutes, before more are refused unread."""
    open_records: bool = USUAL.open_records
    """Whether tables may publish their finished matches to everybody with the link."""
    take_games: bool = USUAL.accepts_games
    """Whether a table that moves here brings its game along, where that has no Python."""
    min_free: Count = USUAL.min_free_disk_bytes // MIB
    """The space of the disk to keep free, in MiB."""
    metrics: str = ""
    """The address for metrics; empty for none."""
    operator_page: str = ""
    """Ignored, as `bot_seconds`; former versions had such a page."""
    bot_seconds: float | None = None
    """Ignored; former versions limited the time of each room's bots."""
    games: tuple[str, ...] = ()
    """Folders of games outside the package, or of several."""
    rooms: dict[str, Any] = {}
    """Refused; former versions had such rooms, with keys of their own."""

    @property
    def reverse_proxy(self) -> ReverseProxy:
        """The proxy before the server.

        Raises:
            UsageError: an address is invalid.
        """
        try:
            proxies = tuple(str(ip_address(proxy)) for proxy in self.proxy)
        except ValueError as error:
            raise UsageError(f"--proxy: {error}.") from error
        try:
            known_as = read_server(self.known_as) if self.known_as else None
        except BadInvitation as error:
            raise UsageError(f"--known-as: {error}") from error
        return ReverseProxy(proxies, known_as)

    @property
    def limits(self) -> Limits:
        """The limits of the host."""
        usual = max(1, min(USUAL.tables_per_address, self.max_tables // 2))
        return Limits(
            tables=self.max_tables,
            # so that no single address fills the server
            tables_per_address=self.max_tables_per_address or usual,
            openings_per_minute=self.openings_a_minute,
            connections=self.max_guests,
            connections_per_address=self.max_guests_per_address,
            guests_per_table=self.max_guests_per_table,
            messages_per_s=self.messages_a_second,
            message_burst=4 * self.messages_a_second,
            codes_per_address=self.wrong_codes,
            min_free_disk_bytes=self.min_free * MIB,
            open_records=self.open_records,
            accepts_games=self.take_games,
        )


def read_config(path: Path | None) -> ServerConfig:
    """Return the content of a server's file; without a file the defaults.

    Relative paths in it start at its folder.

    Raises:
        UsageError: an entry is unknown or invalid; with its line.
        StorageError: it can't be read.
    """
    if path is None:
        return ServerConfig()
    try:
        config = TomlFile(path.name, read_text_file(path)).read(ServerConfig)
    except BrokenFile as error:
        raise UsageError(f"{error}.".replace("?.", "?")) from error
    if config.key_file:
        config = replace(config, key_file=str(path.parent / config.key_file))
    return replace(config, games=tuple(str(path.parent / each) for each in config.games))
