"""SVG templates of `assets/` filled in: Jinja2 text that gives an SVG.

Besides its variables a template finds the program's `theme`, the colours of its game by
`inks("sun")` (from `assets/sun/inks.toml`), and the functions of `drawing()`: QtSvg ignores clip
paths, so shapes are cut by geometry, and a picture that is never the same twice draws its chances
from `chance(seed)`. Words are said by `t("{n} cards", n=3)`; a macro that says some is handed `t`,
so that none stays English unnoticed. Without any variable every template draws a sample of itself;
files called `parts.svg` hold only what others import.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import jinja2

from tabletop.files import small_file
from ui.style.broken_drawing import describe_error
from ui.style.drawing import shorten, template_functions
from ui.style.template_sandbox import TemplateSandbox, plain_value
from ui.style.template_texts import fill_english
from ui.style.theme import Theme

INKS = "inks.toml"
"""The colours of a game, beside its drawings."""

E = TypeVar("E", bound=jinja2.Environment)


class Compiled(jinja2.BytecodeCache):
    """Templates kept compiled in a folder: to compile them takes longer than to draw them.

    Where the folder cannot be read or written, templates are compiled at every start.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        # Checked first: damaged bytecode would not raise, but end the program.
        content = small_file.read_cache(self._folder / bucket.key)
        if content is not None:
            bucket.bytecode_from_string(content)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        small_file.write_cache(self._folder / bucket.key, bucket.bytecode_to_string())


class _Drawings(jinja2.BaseLoader):
    """Finds templates by the name of their game, in the assets or in the game's own folder."""

    def __init__(self, root: Path, outside: Callable[[str], Path | None]) -> None:
        """`outside`: the folder of the pictures of a game outside the package."""
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
    """Fills in the templates of a folder, and of games outside of it."""

    def __init__(
        self,
        root: Path,
        outside: Callable[[str], Path | None],
        full_name: Callable[[str, str], str],
        inks: Callable[[str], Mapping[str, str]],
        theme: Theme,
        compiled: Path | None = None,
    ) -> None:
        """`outside`: the folder of the pictures of a game outside the package; `full_name`: what
        a drawing is called in full that a game's files call so; `inks`: the colours of a game;
        `compiled`: a folder where templates are kept compiled from one start to the next."""
        self._root = root
        self._outside = outside
        self._given: dict[str, object] = {"theme": theme, "inks": inks}
        self._inside = self._environment(jinja2.Environment)
        self._inside.bytecode_cache = Compiled(compiled) if compiled else None
        self._foreign = self._environment(TemplateSandbox, full_name=full_name)
        """For the templates of folders outside the package: a template is code, and these may do no
        more than draw."""

        @jinja2.pass_context
        def own_inks(context: jinja2.runtime.Context, game: str) -> Mapping[str, str]:
            asking = (context.name or "").partition("/")[0]
            found = full_name(f"{game}/{INKS}", asking).partition("/")[0]
            colours = inks(found)
            if found != game and game in colours:
                text = f'inks("{game}"): write inks("{asking}").{game} for this colour'
                raise jinja2.UndefinedError(text)
            return colours

        self._foreign.globals["inks"] = own_inks
        self._foreign.globals["theme"] = plain_value(theme)

    def _environment(self, kind: type[E], **options: Any) -> E:
        made = kind(
            loader=_Drawings(self._root, self._outside),
            autoescape=True,
            auto_reload=False,  # a drawn table stays as it is; a fresh one takes another Art
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=shorten,
            **options,
        )
        made.globals.update(template_functions(), **self._given)
        return made

    def svg(self, path: str, variables: Mapping[str, object]) -> bytes:
        """The SVG that a template gives; `path` is relative to the assets, "sun/face.svg".

        Without a variable `t` it says everything in English.

        Raises:
            BrokenDrawing: there is no such file, it is no template, or it asks for a variable that
                is not given.
        """
        given = {"t": fill_english, **variables}
        foreign = self._outside(path.partition("/")[0])
        try:
            if foreign is None:
                return self._inside.get_template(path).render(given).encode()
            return self._foreign.fill(path, given).encode()
        except Exception as error:  # a template is code: report any error with its file
            raise describe_error(path, self._root, foreign, error, given) from error
