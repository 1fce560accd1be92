"""A tournament on a Dask cluster: its workers play, each as this computer would.

A worker has Tabletop installed, and every game that is played: in the package, or as a folder in
`games/` of its data or in TABLETOP_GAMES. The program's version and the digest of the game's folder
are compared. A worker lost in mid-match does no harm: the scheduler gives its matches to another
one, and the same seed plays the same match.
"""

import logging
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from threading import Lock

import distributed
from distributed.scheduler import KilledWorker

from tabletop import __version__
from tabletop.background.futures import add_guarded_callback
from tabletop.catalogue import catalogue
from tabletop.catalogue.catalogue import BrokenGame, GameKit, UnknownGame
from tabletop.games.folder_content import read_folder
from tabletop.games.typed_toml import BrokenFile
from tabletop.studio.tournament.arena import ArenaResult, Pairing, play

ROOM = 2_000
"""The number of matches given to the scheduler at once."""
PATIENCE = 10
"""Seconds to wait for a scheduler's answer."""
SHOWN = 12
"""The digits of a digest in messages."""


class ClusterTrouble(Exception):
    """The reason why the cluster doesn't play, or stopped: one sentence."""


class Cluster:
    """The workers of one scheduler, for one game."""

    room = ROOM

    def __init__(self, address: str, kit: GameKit) -> None:
        """
        Raises:
            ClusterTrouble: there is no scheduler.
        """
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # our own messages say it
        self._address = address
        self._digest = digest(kit)
        try:
            self._client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            raise ClusterTrouble(f'No Dask scheduler answers at "{address}".') from error
        self._executor = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """The present number of workers."""
        return len(self._client.ncores())

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        result: Future[ArenaResult] = Future()
        given = self._executor.submit(play_there, pairing, __version__, self._digest)
        add_guarded_callback(given, partial(self._pass_on, result), "a match of a cluster")
        return result

    def end(self, playing: bool) -> None:
        self._executor.shutdown(wait=False)  # the matches still running are not needed
        self._client.close()

    def _pass_on(self, result: Future[ArenaResult], given: Future[ArenaResult]) -> None:
        try:
            result.set_result(given.result())
        except CancelledError:
            result.set_exception(
                ClusterTrouble(f'The scheduler at "{self._address}" answers no more.')
            )
        except KilledWorker as error:
            result.set_exception(
                ClusterTrouble(f"A match was given up, as several workers ended over it: {error}")
            )
        except ModuleNotFoundError as error:
            result.set_exception(
                ClusterTrouble(f"The workers need Tabletop {__version__} installed: {error}.")
            )
        except Exception as error:
            result.set_exception(error)


def digest(kit: GameKit) -> str:
    """Return the digest that identifies a game: of its whole folder.

    Raises:
        BrokenFile, OSError: it can't be read.
    """
    return read_folder(Path(str(kit.folder))).digest


_one = Lock()
"""Rules and bots are Python: a second thread of a worker would wait for the same interpreter."""
_known: dict[str, str] = {}
"""The digests of the games that this worker has loaded."""


def play_there(pairing: Pairing, version: str, wanted: str) -> ArenaResult:
    """Play a match on a worker, if it has the same program and the same game.

    Raises:
        ClusterTrouble: it has not.
        Any error of the game's rules.
    """
    with _one:
        if version != __version__:
            raise ClusterTrouble(
                f"The worker {_own_address()} has Tabletop {__version__}, and this is {version}."
            )
        if _known.get(pairing.game) != wanted:
            _bring(pairing.game, wanted)
        return play(pairing)


def _bring(game: str, wanted: str) -> None:
    """Load this game as it is now."""
    where = _own_address()
    catalogue.reread(game)
    try:
        local = digest(catalogue.load(game))
    except UnknownGame as error:
        raise ClusterTrouble(
            f'The worker {where} has no game "{game}": copy its folder there, and name it in '
            "TABLETOP_GAMES."
        ) from error
    except (BrokenGame, BrokenFile, OSError) as error:
        raise ClusterTrouble(f"The worker {where} cannot play it. {error}") from error
    if local != wanted:
        raise ClusterTrouble(
            f'The worker {where} has another "{game}" (digest {local[:SHOWN]}, here '
            f"{wanted[:SHOWN]}): copy the folder there."
        )
    _known[game] = local


def _own_address() -> str:
    return str(distributed.get_worker().address)
