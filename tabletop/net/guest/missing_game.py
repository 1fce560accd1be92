"""A table's game that is missing on this computer: the sentence about it, its download from the
host.

No sockets and no window: the host's messages go to `GameTransfer.hear`, which sends the next
request. A complete game is put with the ones received before (`take_in`), once it has been read as
any folder is.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue import catalogue, game_folders, receiving
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed, UnknownGame
from tabletop.engine.model import Reason, Value
from tabletop.files.errors import write_error
from tabletop.games import received_games
from tabletop.games.data_game import LARGEST_GAME, check_sizes, split_files
from tabletop.games.game_id import DIGITS
from tabletop.games.game_kit import CatalogueEntry
from tabletop.games.typed_toml import BrokenFile
from tabletop.protocol.game_files import (
    PART,
    AskGame,
    AskGamePart,
    GameFiles,
    GamePart,
    GameQuestion,
    OutsideGame,
)
from tabletop.protocol.messages import FromHost, Refused, TableInfo
from tabletop.text.plain_text import LONGEST_NAME, plain_line
from tabletop.text.size_text import size_text

NO_GAME = Reason("The table plays the game \"{game}\", which isn't installed or can't be read.")
OFFERED = Reason(
    'This table plays "{title}" (version {rules}, digest {theirs}, {size}): a game without program '
    "code. Download it from the host?",
    code="game_offered",
)
OTHER_OFFERED = Reason(
    'This table plays another "{title}" than yours: its digest is {theirs}, that of yours {ours}. '
    "It is a game without program code ({size}). Download it from the host?",
    code="other_game_offered",
)
QUESTIONS = (OFFERED.code, OTHER_OFFERED.code)
HAS_CODE = Reason(
    'This table plays "{title}" (version {rules}, digest {theirs}), which is not here. It has a '
    "program of its own, which no table gives away: ask the host for its folder."
)
OTHER_DIGEST = Reason(
    'This table plays another "{title}" than yours: its digest is {theirs}, that of yours {ours}. '
    "All at a table need the same game."
)
NOT_AGREED = Reason(
    'This table plays "{title}" (digest {theirs}), which is here, and whose program has not been '
    "agreed to yet: open it once from the shelf."
)
NOT_SERVED = Reason(
    'This table plays "{title}" (digest {theirs}), which is not where this page comes from.'
)
NOT_TAKEN = Reason('"{title}" was not taken from the host: {why}. Nothing of it was kept.')
REFUSED = Reason('"{title}" was not taken from the host, which says: {why}')
NOT_AS_ANNOUNCED = "the host sends something else than it announced"


class MissingGame(Struct, frozen=True):
    """The game of a table, and why it cannot be played here as things are."""

    reason: Reason
    """A sentence; a question where the game can be taken."""
    info: TableInfo
    """The table's facts, which nobody has been shown."""
    can_be_taken: bool = False

    @property
    def outside(self) -> OutsideGame:
        assert self.info.outside is not None
        return self.info.outside

    @property
    def served(self) -> Reason:
        """The reason why no page can be served of it."""
        gaps = {name: self.reason.args.get(name, "") for name in ("title", "theirs")}
        return NOT_SERVED.with_args(**gaps) if self.can_be_taken else self.reason

    @property
    def giver(self) -> str:
        """The giver: the table's host, or the table's name."""
        info = self.info
        return plain_line(info.name_of(info.host) or info.plan.name, LONGEST_NAME)


def as_known_here(info: TableInfo, before: TableInfo | None = None) -> TableInfo | MissingGame:
    """Return a table's facts with its game by the id it has on this computer, or why it can't be
    played here. A game known `before` stays known even if its folder has changed: a running
    match keeps what was read."""
    game, outside = info.plan.game, info.outside
    if before is not None and outside is not None and outside == before.outside:
        return replace(info, plan=replace(info.plan, game=before.plan.game))
    if outside is None:  # one of the program's own, or an older host, which says no more
        try:
            catalogue.load(game)
        except (UnknownGame, BrokenGame):
            return MissingGame(NO_GAME.with_args(game=plain_line(game)), info)
        return info
    known = catalogue.find_by_digest(outside.digest, game)
    if known is not None and known.waits_for:
        return _make_lacking_game(NOT_AGREED, info, outside)
    if known is not None:
        return replace(info, plan=replace(info.plan, game=known.id))
    other = _of_that_name(game)
    given = 0 < outside.size <= LARGEST_GAME
    if other is not None:
        reason = OTHER_OFFERED if given else OTHER_DIGEST
        return _make_lacking_game(reason, info, outside, given, other.digest)
    return _make_lacking_game(OFFERED if given else HAS_CODE, info, outside, given)


def _of_that_name(game: str) -> CatalogueEntry | None:
    """One's own game that is called so, of another digest."""
    if game not in game_folders.folders_by_id():
        return None
    try:
        return catalogue.load(game)
    except CodeNotAllowed as error:
        return error.entry
    except (UnknownGame, BrokenGame):
        return None


def _make_lacking_game(
    reason: Reason, info: TableInfo, outside: OutsideGame, given: bool = False, ours: str = ""
) -> MissingGame:
    gaps: dict[str, Value] = {
        "title": plain_line(outside.title),
        "rules": outside.rules,
        "theirs": plain_line(outside.digest)[:DIGITS],
        "ours": ours[:DIGITS],
        "size": size_text(outside.size),
    }
    named = {name: value for name, value in gaps.items() if f"{{{name}}}" in reason.text}
    return MissingGame(reason.with_args(**named), info, given)


class GameTransfer:
    """Downloads a table's game from its host, part by part; after a lost connection it continues
    where it was."""

    def __init__(self, lacking: MissingGame, say: Callable[[GameQuestion], None]) -> None:
        self.lacking = lacking
        self.total = lacking.outside.size
        """The size in bytes, and how many of them have come."""
        self.received = 0
        self.failed: Reason | None = None
        """Why it cannot be taken."""
        self.files: Mapping[str, bytes] | None = None
        """All of it, once it is here."""
        self._say = say
        self._sizes: tuple[tuple[str, int], ...] | None = None
        self._parts: list[bytes] = []

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self.failed is not None or self.files is not None

    def go_on(self) -> None:
        """Ask for what comes next: at the beginning, and when one has come back to the table."""
        if not self.over:
            self._say(AskGame() if self._sizes is None else AskGamePart(self.received))

    def hear(self, message: FromHost) -> None:
        """Receive a message of the host; unrelated ones are ignored."""
        if self.over:
            return
        match message:
            case GameFiles() if self._sizes is None:
                self._begin(message)
            case GamePart(at=at, pieces=pieces) if self._sizes is not None and at == self.received:
                self._take(b"".join(pieces))
            case Refused(of="ask_game" | "ask_game_part", reason=reason):
                why: dict[str, Value] = {"title": self._title, "why": _in_english(reason)}
                self.failed = REFUSED.with_args(**why)

    def _begin(self, files: GameFiles) -> None:
        try:
            if files.digest != self.lacking.outside.digest:
                raise BrokenFile(NOT_AS_ANNOUNCED)
            check_sizes(files.sizes)
        except BrokenFile as error:
            self.failed = not_taken(self.lacking, error)
            return
        self._sizes = files.sizes
        self.total = sum(size for _, size in files.sizes)
        self._ask_or_end()

    def _take(self, part: bytes) -> None:
        assert self._sizes is not None
        if len(part) != min(PART, self.total - self.received):
            self.failed = not_taken(self.lacking, BrokenFile(NOT_AS_ANNOUNCED))
            self._parts.clear()
            return
        self._parts.append(part)
        self.received += len(part)
        self._ask_or_end()

    def _ask_or_end(self) -> None:
        assert self._sizes is not None
        if self.received < self.total:
            self._say(AskGamePart(self.received))
        else:
            self.files = split_files(self._sizes, b"".join(self._parts))
            self._parts.clear()

    @property
    def _title(self) -> str:
        return plain_line(self.lacking.outside.title)


def take_in(lacking: MissingGame, files: Mapping[str, bytes]) -> Reason | None:
    """Put a downloaded game with the received ones; else return why not, and keep nothing of it. It
    takes a moment, so it's for a thread; `put_on_shelf` follows."""
    outside = lacking.outside
    called = lacking.info.plan.game, outside.digest
    if catalogue.find_by_digest(outside.digest) is not None:
        return None  # it has arrived over another connection meanwhile
    title = plain_line(outside.title)
    try:
        receiving.ReceivedGameImport(*called, files, lacking.giver, title).run()
    except (BrokenFile, BrokenGame) as error:
        return not_taken(lacking, error)
    except OSError as error:
        return write_error(error, title).reason
    return None


def put_on_shelf(lacking: MissingGame) -> None:
    """Make the program know the game that was taken in. For its own thread."""
    outside = lacking.outside
    catalogue.reread(received_games.received_id(lacking.info.plan.game, outside.digest))


def not_taken(lacking: MissingGame, error: Exception) -> Reason:
    """The sentence that a game was not taken."""
    why = error.fault if isinstance(error, BrokenGame) else str(error)
    gaps: dict[str, Value] = {
        "title": plain_line(lacking.outside.title),
        "why": plain_line(why, 300),
    }
    return NOT_TAKEN.with_args(**gaps)


def _in_english(reason: Reason) -> str:
    """A host's sentence in English, to be quoted in another one."""
    text = reason.text
    for name, value in reason.args.items():
        text = text.replace(f"{{{name}}}", str(value))
    return plain_line(text, 300)
