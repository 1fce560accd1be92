"""Tables whose game isn't installed on this computer, and downloads of such games from the host.

`GameTransfer` uses no sockets: pass it the host's messages, and it sends
the next request. `install_game` checks a complete download like any game
folder before adding it to the received games.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from tabletop.catalogue import catalogue, game_folders, receiving
from tabletop.catalogue.catalogue import BrokenGame, CodeNotAllowed, UnknownGame
from tabletop.engine.model import Reason, Value
from tabletop.files.errors import write_error
from tabletop.games import received_games
from tabletop.games.data_game import MAX_GAME_BYTES, check_sizes, split_files
from tabletop.games.game_id import DIGEST_DIGITS
from tabletop.games.game_kit import CatalogueEntry
from tabletop.games.typed_toml import BrokenFile
from tabletop.protocol.game_files import (
    PART_BYTES,
    FetchGamePart,
    GameFileRequest,
    GameFiles,
    GamePart,
    ListGameFiles,
    OutsideGame,
)
from tabletop.protocol.messages import FromHost, Refused, TableInfo
from tabletop.text.plain_text import MAX_NAME_CHARS, plain_line
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
OFFER_CODES = (OFFERED.code, OTHER_OFFERED.code)
"""Codes of the reasons that offer a download of the game."""
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
    'This table plays "{title}" (digest {theirs}), which is not where this page comes from. A '
    "browser needs no copy of it: whoever runs this page can start it with --take-games."
)
CODE_NOT_SERVED = Reason(
    'This table plays "{title}" (digest {theirs}), which is not where this page comes from. A '
    "browser needs no copy of it: whoever runs this page can start it with --games and the game's "
    "folder."
)
NOT_AGREED_THERE = Reason(
    'This table plays "{title}" (digest {theirs}), whose program isn\'t allowed to run where this '
    "page comes from. Whoever runs this page can allow it with tabletop trust."
)
NOT_TAKEN = Reason('"{title}" was not taken from the host: {why}. Nothing of it was kept.')
REFUSED = Reason('"{title}" was not taken from the host, which says: {why}')
NOT_AS_ANNOUNCED = "the host sends something else than it announced"


class MissingGame(Struct, frozen=True):
    """A table's game, with the reason why it can't be played on this computer."""

    reason: Reason
    """Why the game can't be played, or an offer to download it (`can_download`)."""
    info: TableInfo
    """The table's state. It is hidden from the user until the game is available."""
    can_download: bool = False

    @property
    def outside(self) -> OutsideGame:
        assert self.info.outside is not None
        return self.info.outside

    @property
    def web_reason(self) -> Reason:
        """The reason to show on a web page, whose reader needs no copy of the game."""
        if self.reason.text == NO_GAME.text:
            return self.reason
        gaps = {name: self.reason.args.get(name, "") for name in ("title", "theirs")}
        not_agreed = self.reason.text == NOT_AGREED.text
        without_copy = NOT_AGREED_THERE if not_agreed else CODE_NOT_SERVED
        return (NOT_SERVED if self.can_download else without_copy).with_args(**gaps)

    @property
    def giver_name(self) -> str:
        """The name of the table's host, or of the table if the host has no seat."""
        info = self.info
        return plain_line(info.name_of(info.host) or info.plan.name, MAX_NAME_CHARS)


def resolve_game(info: TableInfo, before: TableInfo | None = None) -> TableInfo | MissingGame:
    """Return `info` with the game's ID on this computer, or why the game can't be played here.

    `before`: the table's earlier state. If its game is still the same, the
    ID from `before` stays in use, because a running match keeps the game
    that it started with even if the folder has changed.
    """
    game, outside = info.plan.game, info.outside
    if before is not None and outside is not None and outside == before.outside:
        return replace(info, plan=replace(info.plan, game=before.plan.game))
    if outside is None:  # a built-in game, or an older host that doesn't describe games
        try:
            catalogue.load(game)
        except (UnknownGame, BrokenGame):
            return MissingGame(NO_GAME.with_args(game=plain_line(game)), info)
        return info
    known = catalogue.find_by_digest(outside.digest, game)
    if known is not None and known.waits_for:
        return _make_missing_game(NOT_AGREED, info, outside)
    if known is not None:
        return replace(info, plan=replace(info.plan, game=known.id))
    other = _user_game_called(game)
    given = 0 < outside.size <= MAX_GAME_BYTES
    if other is not None:
        reason = OTHER_OFFERED if given else OTHER_DIGEST
        return _make_missing_game(reason, info, outside, given, other.digest)
    return _make_missing_game(OFFERED if given else HAS_CODE, info, outside, given)


def _user_game_called(game: str) -> CatalogueEntry | None:
    """Return the user's own game with the ID `game`, or None."""
    if game not in game_folders.folders_by_id():
        return None
    try:
        return catalogue.load(game)
    except CodeNotAllowed as error:
        return error.entry
    except (UnknownGame, BrokenGame):
        return None


def _make_missing_game(
    reason: Reason, info: TableInfo, outside: OutsideGame, given: bool = False, ours: str = ""
) -> MissingGame:
    gaps: dict[str, Value] = {
        "title": plain_line(outside.title),
        "rules": outside.rules,
        "theirs": plain_line(outside.digest)[:DIGEST_DIGITS],
        "ours": ours[:DIGEST_DIGITS],
        "size": size_text(outside.size),
    }
    named = {name: value for name, value in gaps.items() if f"{{{name}}}" in reason.text}
    return MissingGame(reason.with_args(**named), info, given)


class GameTransfer:
    """A download of a game from a table's host, in parts. It survives lost connections."""

    def __init__(self, missing: MissingGame, say: Callable[[GameFileRequest], None]) -> None:
        self.missing = missing
        self.total_bytes = missing.outside.size
        """The size of the whole download in bytes."""
        self.received_bytes = 0
        self.error: Reason | None = None
        """Why the download failed; None if it hasn't."""
        self.files: Mapping[str, bytes] | None = None
        """The content of each file by its path; None until the download is complete."""
        self._say = say
        self._sizes: tuple[tuple[str, int], ...] | None = None
        self._parts: list[bytes] = []

    @property
    def is_over(self) -> bool:
        """Whether the download is complete or has failed."""
        return self.error is not None or self.files is not None

    def request_next(self) -> None:
        """Request the next part. Call it to start, and again after rejoining the table."""
        if not self.is_over:
            self._say(
                ListGameFiles() if self._sizes is None else FetchGamePart(self.received_bytes)
            )

    def receive(self, message: FromHost) -> None:
        """Handle `message` from the host. Messages unrelated to the download are ignored."""
        if self.is_over:
            return
        match message:
            case GameFiles() if self._sizes is None:
                self._on_sizes(message)
            case GamePart(at=at, pieces=pieces) if (
                self._sizes is not None and at == self.received_bytes
            ):
                self._on_part(b"".join(pieces))
            case Refused(of="ask_game" | "ask_game_part", reason=reason):
                why: dict[str, Value] = {"title": self._title, "why": _english_text(reason)}
                self.error = REFUSED.with_args(**why)

    def _on_sizes(self, files: GameFiles) -> None:
        try:
            if files.digest != self.missing.outside.digest:
                raise BrokenFile(NOT_AS_ANNOUNCED)
            check_sizes(files.sizes)
        except BrokenFile as error:
            self.error = download_error(self.missing, error)
            return
        self._sizes = files.sizes
        self.total_bytes = sum(size for _, size in files.sizes)
        self._request_or_finish()

    def _on_part(self, part: bytes) -> None:
        assert self._sizes is not None
        if len(part) != min(PART_BYTES, self.total_bytes - self.received_bytes):
            self.error = download_error(self.missing, BrokenFile(NOT_AS_ANNOUNCED))
            self._parts.clear()
            return
        self._parts.append(part)
        self.received_bytes += len(part)
        self._request_or_finish()

    def _request_or_finish(self) -> None:
        assert self._sizes is not None
        if self.received_bytes < self.total_bytes:
            self._say(FetchGamePart(self.received_bytes))
        else:
            self.files = split_files(self._sizes, b"".join(self._parts))
            self._parts.clear()

    @property
    def _title(self) -> str:
        return plain_line(self.missing.outside.title)


def install_game(missing: MissingGame, files: Mapping[str, bytes]) -> Reason | None:
    """Add a downloaded game to the received games. Return why it was rejected, or None.

    Checks and writes files, so call it in a worker thread, and then call `register_game`. A
    rejected game leaves no files behind.
    """
    outside = missing.outside
    called = missing.info.plan.game, outside.digest
    if catalogue.find_by_digest(outside.digest) is not None:
        return None  # another connection may have installed it
    title = plain_line(outside.title)
    try:
        receiving.ReceivedGameImport(*called, files, missing.giver_name, title).run()
    except (BrokenFile, BrokenGame) as error:
        return download_error(missing, error)
    except OSError as error:
        return write_error(error, title).reason
    return None


def register_game(missing: MissingGame) -> None:
    """Add an installed game to the catalogue. Call it in the program's main thread."""
    outside = missing.outside
    catalogue.reread(received_games.received_id(missing.info.plan.game, outside.digest))


def download_error(missing: MissingGame, error: Exception) -> Reason:
    """Return the message for the user that `error` prevented the download."""
    why = error.fault if isinstance(error, BrokenGame) else str(error)
    gaps: dict[str, Value] = {
        "title": plain_line(missing.outside.title),
        "why": plain_line(why, 300),
    }
    return NOT_TAKEN.with_args(**gaps)


def _english_text(reason: Reason) -> str:
    """Return the English text of a host's `reason`, to quote it in another message."""
    text = reason.text
    for name, value in reason.args.items():
        text = text.replace(f"{{{name}}}", str(value))
    return plain_line(text, 300)
