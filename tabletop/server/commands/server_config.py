"""Configuration of a server: a TOML file, and command-line flags of the
same names that override it.
"""

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
from tabletop.protocol.invitation import DEFAULT_PORT, BadInvitation, parse_server
from tabletop.server.log_lines import LogFormat
from tabletop.server.public_list import ListedFor
from tabletop.server.reverse_proxy import ReverseProxy

DEFAULT_LIMITS = Limits()
Some = Annotated[int, Meta(ge=1)]
Count = Annotated[int, Meta(ge=0)]


class ServerConfig(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """The configuration of `tabletop serve`."""

    bind: str = ""
    """The address to listen on; empty for all addresses."""
    port: Annotated[int, Meta(ge=0, le=65535)] = DEFAULT_PORT
    """The port to listen on; 0 for any free one."""
    data: str = ""
    """The folder of the server's tables; empty for the default."""
    known_as: str = ""
    """The server's address for guests, if it differs from `bind`."""
    proxy: tuple[str, ...] = ()
    """The addresses of proxies that use the PROXY protocol."""
    key_file: str = ""
    """The file with the key for opening tables; empty if anyone may open them."""
    listed_for: ListedFor = "everybody"
    """Who may see listed tables."""
    log_format: LogFormat = "lines"
    """The format of the log."""
    max_tables: Some = DEFAULT_LIMITS.tables
    """The maximum number of tables."""
    max_tables_per_address: Count = 0
    """The maximum number of tables opened from one address;
    0 for half of `max_tables`, at most 16.
    """
    max_guests: Some = DEFAULT_LIMITS.connections
    """The maximum number of connected guests."""
    max_guests_per_address: Some = DEFAULT_LIMITS.connections_per_address
    """The maximum number of connected guests from one address."""
    max_guests_per_table: Some = DEFAULT_LIMITS.guests_per_table
    """The maximum number of connected guests at one table."""
    openings_a_minute: Some = DEFAULT_LIMITS.openings_per_minute
    """How many tables one address may open per minute."""
    messages_a_second: Some = round(DEFAULT_LIMITS.messages_per_s)
    """How many messages one guest may send per second."""
    wrong_codes: Some = DEFAULT_LIMITS.codes_per_address
    """How many wrong codes or keys one address may try in five minutes. Further attempts are
    refused unchecked.
    """
    open_records: bool = DEFAULT_LIMITS.open_records
    """Whether tables may publish their finished matches to anyone with the link."""
    take_games: bool = DEFAULT_LIMITS.accepts_games
    """Whether a table that moves here may bring its game, if the game has no program code."""
    min_free: Count = DEFAULT_LIMITS.min_free_disk_bytes // MIB
    """The free disk space below which the server reports a problem, in MiB."""
    metrics: str = ""
    """The address for metrics; empty for none."""
    operator_page: str = ""
    """Ignored. Former versions had a web page for operators."""
    bot_seconds: float | None = None
    """Ignored. Former versions limited how long bots think."""
    games: tuple[str, ...] = ()
    """Further folders of games."""
    rooms: dict[str, Any] = {}
    """Refused. Former versions had rooms with keys of their own."""

    @property
    def reverse_proxy(self) -> ReverseProxy:
        """The settings of the reverse proxy.

        Raises:
            UsageError: an address is invalid.
        """
        try:
            proxies = tuple(str(ip_address(proxy)) for proxy in self.proxy)
        except ValueError as error:
            raise UsageError(f"--proxy: {error}.") from error
        try:
            known_as = parse_server(self.known_as) if self.known_as else None
        except BadInvitation as error:
            raise UsageError(f"--known-as: {error}") from error
        return ReverseProxy(proxies, known_as)

    @property
    def limits(self) -> Limits:
        """The limits of the host."""
        usual = max(1, min(DEFAULT_LIMITS.tables_per_address, self.max_tables // 2))
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
    """Return the configuration in the file `path`; the default configuration for None.

    Relative paths in the file are relative to its folder.

    Raises:
        UsageError: an entry is unknown or invalid. The error names its line.
        StorageError: the file can't be read.
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
