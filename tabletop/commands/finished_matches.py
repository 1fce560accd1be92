"""List and download matches that finished on a server."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from tabletop.commands.arguments import UsageError, out_option, value_option
from tabletop.commands.key_file import KeyFile, read_key
from tabletop.commands.network import Fingerprint
from tabletop.commands.output import Force, output, print_written
from tabletop.commands.server_trust import run_query, trusted_server
from tabletop.files import folders
from tabletop.home.known_hosts import KnownHosts
from tabletop.protocol.archive import FinishedMatch, MatchId, TableTokens, parse_match_id
from tabletop.protocol.invitation import (
    Address,
    BadInvitation,
    InviteLink,
    format_link,
    has_link,
    parse_address_or_invitation,
)
from tabletop.text.plain_text import print_plain


def records(
    server: Annotated[str, value_option("ADDRESS[:PORT]", "The server they were played on.")] = "",
    fetch: Annotated[str, value_option("ID", "Download this match: its id or link.")] = "",
    out: Annotated[Path | None, out_option("FILE", "File to write. [default: ID.tabletop]")] = None,
    key_file: KeyFile = None,
    fingerprint: Fingerprint = "",
    force: Force = False,
) -> int:
    """List or download finished matches from a server.

    The list has your own matches and those open to everyone.
    """
    link, match = _parse_match(server, fetch)
    if out is not None and match is None:
        raise UsageError("--out needs --fetch.")
    place = trusted_server(link, fingerprint)
    mine = KnownHosts(folders.known_hosts()).list_played_tables(place.name)
    if match is not None:
        tokens = next((each.tokens for each in mine if each.table == match.table), ())
        return _fetch(place, match, tokens, out or Path(f"{match}.tabletop"), force)
    return _list(place, mine, read_key(key_file))


def _parse_match(server: str, fetch: str) -> tuple[str, MatchId | None]:
    """Return the address of the server, and the ID of the match to download or None.

    Raises:
        UsageError: there is no server, or `fetch` isn't a match ID or link.
    """
    name = fetch
    if has_link(fetch):
        try:
            link = parse_address_or_invitation(fetch)
        except BadInvitation as error:
            raise UsageError(str(error)) from error
        name, server = link.table, server or Address((link.host,), link.port).name
    match = parse_match_id(name)
    if fetch and match is None:
        raise UsageError(f'"{fetch}" isn\'t a match id; they look like 0123456789ab-1.')
    if not server:
        raise UsageError("Name a server with --server ADDRESS.")
    return server, match


def _list(place: Address, mine: tuple[TableTokens, ...], key: str) -> int:
    from tabletop.net.guest.archive_query import list_all_finished

    played: tuple[FinishedMatch, ...] = ()
    if mine:
        own = run_query(place, list_all_finished(place, mine))
        if own is None:
            return 1
        played = own.matches
    answer = run_query(place, list_all_finished(place, (), key))
    if answer is None:
        return 1
    for each in played:
        _print(place, each, "yours")
    for each in answer.matches:
        if each not in played:
            _print(place, each, "open")
    if answer.more:
        print_plain("There are more than can be listed.")
    return 0


def _print(place: Address, each: FinishedMatch, whose: str) -> None:
    link = format_link(InviteLink(place.hosts[0], place.port, str(each.match)))
    ended = datetime.fromtimestamp(each.ended, UTC).astimezone()
    print_plain(f"{link}  {each.game}  {ended:%Y-%m-%d %H:%M}  {whose}  {each.name}")


def _fetch(place: Address, match: MatchId, tokens: tuple[str, ...], out: Path, force: bool) -> int:
    from tabletop.net.guest.archive_query import fetch_record
    from tabletop.storage.record import to_bytes

    record = run_query(place, fetch_record(place, match, tokens))
    if record is None:
        return 1
    with output(out, force) as file:
        file.write_bytes(to_bytes(record))
    print_written(out, f"{len(record.entries)} moves")
    return 0
