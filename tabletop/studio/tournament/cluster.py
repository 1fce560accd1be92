"""Executor that plays tournament matches on a Dask cluster.

A worker needs Tabletop and every game that is played: built in, or as a folder in `games/` of its
data folder or in TABLETOP_GAMES. A worker refuses a match if its program version or the digest of
its game folder differs. If a worker is lost during a match, the scheduler reassigns the match, and
the same seed gives the same match.
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
from tabletop.studio.tournament.arena import ArenaResult, Pairing, play_match

MAX_QUEUED_MATCHES = 2_000
"""The maximum number of matches submitted to the scheduler at once."""
CONNECT_TIMEOUT_S = 10
"""The timeout in seconds for connecting to a scheduler."""
DIGEST_DIGITS = 12
"""How many digits of a digest are shown in messages."""


class ClusterError(Exception):
    """The reason why the cluster can't play or has stopped, as one sentence."""


class ClusterExecutor:
    """Plays matches of one game on the workers of one scheduler."""

    room = MAX_QUEUED_MATCHES

    def __init__(self, address: str, kit: GameKit) -> None:
        """Connect to the scheduler at `address`.

        Raises:
            ClusterError: No scheduler answers.
        """
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report errors
        self._address = address
        self._digest = digest(kit)
        try:
            self._client = distributed.Client(
                address, timeout=CONNECT_TIMEOUT_S, set_as_default=False
            )
        except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
            raise ClusterError(f'No Dask scheduler answers at "{address}".') from error
        self._executor = self._client.get_executor(pure=False)

    @property
    def workers(self) -> int:
        """The current number of workers."""
        return len(self._client.ncores())

    def submit(self, pairing: Pairing) -> Future[ArenaResult]:
        result: Future[ArenaResult] = Future()
        given = self._executor.submit(play_on_worker, pairing, __version__, self._digest)
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
                ClusterError(f'The scheduler at "{self._address}" answers no more.')
            )
        except KilledWorker as error:
            result.set_exception(
                ClusterError(f"A match was given up, as several workers ended over it: {error}")
            )
        except ModuleNotFoundError as error:
            result.set_exception(
                ClusterError(f"The workers need Tabletop {__version__} installed: {error}.")
            )
        except Exception as error:
            result.set_exception(error)


def digest(kit: GameKit) -> str:
    """Return the digest of the game's folder, which identifies the game.

    Raises:
        BrokenFile, OSError: The folder can't be read.
    """
    return read_folder(Path(str(kit.folder))).digest


_one = Lock()
"""Allows one match at a time. Rules and bots are Python code, so a second thread of a worker would
only wait for the GIL.
"""
_known: dict[str, str] = {}
"""The digest of each game that this worker has loaded, by game ID."""


def play_on_worker(pairing: Pairing, version: str, wanted: str) -> ArenaResult:
    """Play a match in a worker process, provided that its program version is `version` and its game
    has the digest `wanted`.

    Raises:
        ClusterError: The version or the game is different, or the game is missing or broken.
        Any error of the game's rules.
    """
    with _one:
        if version != __version__:
            raise ClusterError(
                f"The worker {_own_address()} has Tabletop {__version__}, and this is {version}."
            )
        if _known.get(pairing.game) != wanted:
            _bring(pairing.game, wanted)
        return play_match(pairing)


def _bring(game: str, wanted: str) -> None:
    """Reload the game and check that its digest is `wanted`.

    Raises:
        ClusterError: The game is missing, broken or different.
    """
    where = _own_address()
    catalogue.reread(game)
    try:
        local = digest(catalogue.load(game))
    except UnknownGame as error:
        raise ClusterError(
            f'The worker {where} has no game "{game}": copy its folder there, and name it in '
            "TABLETOP_GAMES."
        ) from error
    except (BrokenGame, BrokenFile, OSError) as error:
        raise ClusterError(f"The worker {where} cannot play it. {error}") from error
    if local != wanted:
        raise ClusterError(
            f'The worker {where} has another "{game}" (digest {local[:DIGEST_DIGITS]}, here '
            f"{wanted[:DIGEST_DIGITS]}): copy the folder there."
        )
    _known[game] = local


def _own_address() -> str:
    return str(distributed.get_worker().address)
