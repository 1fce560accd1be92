"""Renders SVG templates with Jinja2.

Besides its variables, a template can use the program's `theme`, the inks of its game by
`inks("sun")` (from `assets/sun/inks.toml`), and the functions of `template_functions`. QtSvg
ignores clip paths, so shapes are cropped by geometry. Random details come from `chance(seed)`.
`t("{n} cards", n=3)` translates texts; a macro with texts gets `t` as an argument, so that no text
stays English unnoticed. Without variables, a template draws a sample of itself; files called
`parts.svg` contain only macros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import jinja2

from tabletop.files import small_file
from ui.style.broken_drawing import describe_error
from ui.style.drawing import format_number, template_functions
from ui.style.template_sandbox import TemplateSandbox, to_plain_value
from ui.style.template_texts import fill_english
from ui.style.theme import Theme

INKS_FILE = "inks.toml"
"""Name of the file with a game's ink colours, in its picture folder."""

E = TypeVar("E", bound=jinja2.Environment)


class FolderBytecodeCache(jinja2.BytecodeCache):
    """A cache of compiled templates in a folder, because compiling takes longer than drawing.

    If the folder isn't readable and writable, templates are compiled at every start.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        # Verified first, because damaged bytecode would crash the program.
        content = small_file.read_cache(self._folder / bucket.key)
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        small_file.write_cache(self._folder / bucket.key, bucket.bytecode_to_string())


class _TemplateLoader(jinja2.BaseLoader):
    """Loads templates of packaged games from the
    assets, and of other games from their own folders.
    """

    def __init__(self, root: Path, outside: Callable[[str], Path | None]) -> None:
        """`outside` returns the picture folder of a game from outside the package, or None."""
        self._inside = jinja2.FileSystemLoader(root)
        self._outside = outside

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        game, _, name = template.partition("/")
        foreign = self._outside(game)
        if foreign is None:
            return self._inside.get_source(environment, template)
        try:
            return jinja2.FileSystemLoader(foreign).get_source(environment, name)
        except jinja2.TemplateNotFound as error:
            raise jinja2.TemplateNotFound(template) from error


class Templates:
    """Renders the templates below a folder, and those of games from outside the package."""

    def __init__(
        self,
        root: Path,
        outside: Callable[[str], Path | None],
        full_name: Callable[[str, str], str],
        inks: Callable[[str], Mapping[str, str]],
        theme: Theme,
        compiled: Path | None = None,
    ) -> None:
        """`outside` returns the picture folder of a game outside the package. `full_name` returns
        the template path of a drawing named in a game's files. `inks` returns a game's ink colours.
        `compiled` is the folder of the bytecode cache.
        """
        self._root = root
        self._outside = outside
        self._given: dict[str, object] = {"theme": theme, "inks": inks}
        self._inside = self._environment(jinja2.Environment)
        self._inside.bytecode_cache = FolderBytecodeCache(compiled) if compiled else None
        self._foreign = self._environment(TemplateSandbox, full_name=full_name)
        """The sandbox for templates from outside the package: a template is code, and these may do
        nothing but draw.
        """

        @jinja2.pass_context
        def own_inks(context: jinja2.runtime.Context, game: str) -> Mapping[str, str]:
            asking = (context.name or "").partition("/")[0]
            found = full_name(f"{game}/{INKS_FILE}", asking).partition("/")[0]
            colours = inks(found)
            if found != game and game in colours:
                text = f'inks("{game}"): write inks("{asking}").{game} for this colour'
                raise jinja2.UndefinedError(text)
            return colours

        self._foreign.globals["inks"] = own_inks
        self._foreign.globals["theme"] = to_plain_value(theme)

    def _environment(self, kind: type[E], **options: Any) -> E:
        made = kind(
            loader=_TemplateLoader(self._root, self._outside),
            autoescape=True,
            auto_reload=False,  # an open table doesn't change; a new one gets a new Art
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=format_number,
            **options,
        )
        made.globals.update(template_functions(), **self._given)
        return made

    def render_svg(self, path: str, variables: Mapping[str, object]) -> bytes:
        """Return the SVG rendered from the template `path`,
        which is relative to the assets ("sun/face.svg").

        Without a variable `t`, texts are English.

        Raises:
            BrokenDrawing: the file is missing, isn't a template, or uses an unknown variable.
        """
        given = {"t": fill_english, **variables}
        foreign = self._outside(path.partition("/")[0])
        try:
            if foreign is None:
                return self._inside.get_template(path).render(given).encode()
            return self._foreign.render(path, given).encode()
        except Exception as error:  # a template may raise any error
            raise describe_error(path, self._root, foreign, error, given) from error
