"""What a home holds: matches, games, a hosted table."""

from pathlib import Path

from tabletop.catalogue import catalogue
from tabletop.files import folders
from tabletop.games import received_games
from tabletop.games.folder_content import compute_digest, read_game_files
from tabletop.match.match import Match, Player
from tabletop.net.guest.join_attempt import Ticket
from tabletop.net.host.host import Host
from tabletop.storage import saved_matches
from tabletop.table.hosted_table import HostedTable
from tabletop.table.services import TableTiming
from tests.net.loopback import hosting, plan, play_on, seated
from tests.storage.played_matches import play

ANN_AND_BOT = (Player("Ann"), Player("Bob", kind="bot", level="random"))
ANN_AND_BEA = (Player("Ann"), Player("Bea"))


def begun(seed: str, moves: int, players: tuple[Player, ...] = ANN_AND_BOT) -> Path:
    match = saved_matches.begin(catalogue.load("sun"), players, seed=seed)
    play(match, moves)
    return left(match)


def left(match: Match) -> Path:
    """The file of a match that is left in order."""
    match.journal.write_closing_mark()
    match.journal.close()
    return match.journal.path


def played_on(path: Path, moves: int) -> None:
    match = saved_matches.resume(path)
    play(match, moves)
    left(match)


def received_game(giver: str = "Mio") -> Path:
    source = Path(__file__).parents[1] / "free_tables" / "shell_beach"
    files = read_game_files(source)
    return received_games.store_game(
        folders.received(),
        "shell_beach",
        compute_digest(files),
        files,
        giver,
        catalogue.check_received_game,
    )


def added_game(more: str = "") -> Path:
    folder = folders.games() / "pond"
    source = Path(__file__).parents[1] / "free_tables" / "shell_beach"
    for name, content in read_game_files(source).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    with open(folder / "cards.toml", "a", encoding="utf-8") as cards:
        cards.write(more)
    return folder


def moves_at(host: Host) -> int:
    (table,) = host.registry.hosted_tables.values()
    assert isinstance(table, HostedTable)
    return len(table.hosted_match.match.record) if table.hosted_match.match else 0


PATIENT = TableTiming(grace_s=0.05, bot_delay_s=0, share_timeout_s=300)
"""On a busy machine no seal is missed, which would keep the match from starting."""


async def played_table(moves: int = 5) -> tuple[list[Ticket], str]:
    """Host a table for so many moves; return the ways back to it."""
    async with (
        hosting(folders.hosted(), pace=PATIENT) as host,
        seated(host, plan("sun", 2), (0,), (1,)) as friends,
    ):
        play_on(friends)
        await friends[0].until(lambda: moves_at(host) > moves, PATIENT.share_timeout_s)
        return [friend.guest.ticket for friend in friends], host.certificate.fingerprint
