"""Runs a server without a window from start to stop, for `tabletop serve`."""

from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from pathlib import Path

from tabletop.background.tasks import wait_for_first
from tabletop.bots.bot_pool import BotPool
from tabletop.catalogue import catalogue
from tabletop.files import file_lock, folders
from tabletop.files.atomic_write import make_folder, write_atomically
from tabletop.files.errors import StorageError, read_error, write_error
from tabletop.files.regular_file import KIB, read_regular
from tabletop.net.event_loop import raise_open_file_limit, wait_for_stop
from tabletop.net.host.table_disk import table_files_in
from tabletop.net.limits import Limits
from tabletop.server.inherited_socket import inherited_socket
from tabletop.server.log_lines import LogFormat, log_to_standard_error
from tabletop.server.public_list import ListedFor
from tabletop.server.reverse_proxy import NO_PROXY, ReverseProxy
from tabletop.server.server import TableServer

LOCK_FILE = ".server.lock"
"""The file in a server's folder that is locked while the server runs."""


async def serve(
    folder: Path,
    bind: str | None,
    port: int,
    limits: Limits,
    key: str = "",
    key_file: str = "",
    listed_for: ListedFor = "everybody",
    log_format: LogFormat = "lines",
    tell: Callable[[TableServer], None] | None = None,
    operated: Callable[[TableServer], AbstractAsyncContextManager[object]] | None = None,
    proxy: ReverseProxy = NO_PROXY,
) -> None:
    """Serve tables until the program is stopped, or until the server is drained and nobody plays.

    `tell` is called once the server listens. If the service manager passed a socket, the server
    uses that socket instead of `bind` and `port`. `operated` returns a context that is active while
    the server runs. The other parameters are those of `TableServer`.

    Raises:
        OSError: the server can't listen there.
        StorageError: the folder can't be written, or another server uses the folder.
    """
    raise_open_file_limit()
    with locked_folder(folder), log_to_standard_error(log_format), folders.use_key_folder(folder):
        _take_key_along(folder)
        bot_pool = BotPool(catalogue.load_bot_parts)
        server = TableServer(
            folder,
            key=key,
            key_file=key_file,
            listed_for=listed_for,
            limits=limits,
            announced=True,
            bot_pool=bot_pool,
            proxy=proxy,
        )
        around = operated(server) if operated is not None else nullcontext()
        inherited = inherited_socket()
        await server.start(bind, port, inherited)
        if tell is not None:
            tell(server)
        async with around:
            await wait_for_first(wait_for_stop(), server.wait_until_drained())
        await server.close()
        bot_pool.close()


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock `folder`, so that no second server writes the same tables.

    Raises:
        StorageError: another server uses the folder, or the folder can't be written.
    """
    try:
        make_folder(folder, 0o700)
        file = open(folder / LOCK_FILE, "ab")  # noqa: SIM115  # closed below
    except OSError as error:
        raise write_error(error, folder.name) from error
    try:
        if not file_lock.try_lock(file):
            raise StorageError('Another server is running on "{folder}".', folder=str(folder))
        yield
    finally:
        file_lock.unlock_and_close(file)


def _take_key_along(folder: Path) -> None:
    """Copy the program's record key to the folder, if an older version encrypted the server's
    matches with that key.
    """
    before, beside = folders.key(), folder / folders.KEY_FILE
    try:
        if not (table_files_in(folder) and before.is_file() and not beside.exists()):
            return
        key = read_regular(before, KIB)
    except OSError as error:
        raise read_error(error, Path(error.filename or folder).name) from error
    try:
        write_atomically(beside, key, private=True)
    except OSError as error:
        raise write_error(error, before.name) from error
