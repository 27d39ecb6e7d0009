"""A run that is asked for: what it learns from, where it starts, and its folder."""

import re
import shlex
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from capsnet_explorer.app.engines.recipes import (
    SYMBOLS,
    Recipe,
    check_ready,
    checked_recipe,
    recipe_of_card,
    recipe_of_run,
    symbols_from,
)
from capsnet_explorer.app.engines.sets import PREFIX, Sets
from capsnet_explorer.app.engines.training.folder import (
    SUFFIX,
    WATCHED,
    write_request,
)
from capsnet_explorer.app.engines.training.keeping import KeptModels
from capsnet_explorer.app.engines.training.running import ServedRun
from capsnet_explorer.app.errors import (
    DamagedFile,
    InvalidRequest,
    UnknownThing,
    short,
)
from capsnet_explorer.datasets.catalogue import DATASETS, file_name
from capsnet_explorer.storage.reading import Unreadable, read_object

SYMBOLS_FILE = DATASETS[SYMBOLS].place
SNAPSHOT = re.compile(r"([0-9a-f]{8})@(0|[1-9][0-9]{0,8})")  # one spelling of a step


class CheckedRun(NamedTuple):
    """A run that can be.

    Attributes:
        recipe: checked.
        start: the weight file that it starts from; None to start anew.
        symbols: the file of symbols that it trains on; None for other images, and for
            the server's.
    """

    recipe: Recipe
    start: Path | None
    symbols: str | None


class Requests:
    """Checks what is asked for against what there is.

    Args:
        data: folder of the data sets.
        sets: one's own, to train on.
        kept: the models that are kept, to start from.
        shipped: weight files of further networks to start from, by name.
        run: returns a run by its id, or raises an `ApiError`.
    """

    def __init__(
        self,
        data: Path,
        sets: Sets,
        kept: KeptModels,
        shipped: Mapping[str, Path],
        run: Callable[[str], ServedRun],
    ) -> None:
        self._data = data
        self._sets = sets
        self._kept = kept
        self._shipped = dict(shipped)
        self._run = run

    def checked(self, request: Mapping[str, Any]) -> CheckedRun:
        """Return a run that can be.

        Args:
            request: the recipe, unchecked. For the data set `symbols` it may hold
                `symbols`: the set, or the id of a run that trained on it.

        Raises:
            InvalidRequest: the recipe cannot work.
            UnknownThing: there is no such snapshot to start from, or no such data.
            Conflict: the snapshot is damaged, or the set is not ready.
        """
        request = dict(request)
        source = request.pop("symbols", None)
        if source is not None:
            request.setdefault("dataset", SYMBOLS)
        start = request.get("start")
        if start is None:
            base, file = None, None
        else:
            base, file = self._start_of(start)
        recipe = checked_recipe(request, base)
        symbols = self._symbols_for(recipe, source)
        if recipe.dataset.startswith(PREFIX):
            self._sets.data(recipe.dataset.removeprefix(PREFIX))  # or say what is wrong
        elif symbols is None:
            check_ready(recipe.dataset, self._data)
        return CheckedRun(recipe, file, symbols)

    def _start_of(self, start: object) -> tuple[Recipe, Path]:
        """Return the recipe of a snapshot's run, and the snapshot's weight file."""
        match = SNAPSHOT.fullmatch(start) if isinstance(start, str) else None
        if match is None:
            file = self._named(start)
            return recipe_of_card(card_of(file)), file
        run = self._run(match[1])
        request = run.request
        base = recipe_of_run(request.recipe, request.architecture, request.settings)
        return base, run.weights(int(match[2]))

    def _named(self, start: object) -> Path:
        """Return the weight file of a network by its name."""
        if isinstance(start, str):
            if start in self._kept.names():
                return self._kept.weights(start)
            if start in self._shipped:
                return self._shipped[start]
        raise InvalidRequest(
            "start must be a snapshot such as 3f2a9c01@640 or the name of a network, "
            f"got {short(start)}",
            field="start",
        )

    def _symbols_for(self, recipe: Recipe, source: object) -> str | None:
        """Return the file of symbols that a run is to train on, if it is one."""
        if recipe.dataset != SYMBOLS:
            if source is not None:
                raise InvalidRequest(
                    f"symbols need the dataset {SYMBOLS}, got {recipe.dataset}",
                    field="dataset",
                )
            return None
        if source is None and "@" in (recipe.start or ""):
            source = str(recipe.start).partition("@")[0]
        if not isinstance(source, str):
            return None if source is None else symbols_from(source).text()
        try:
            content = (self._run(source).folder / SYMBOLS_FILE).read_bytes()
        except OSError:
            raise UnknownThing(
                f"the run {source} has no set of symbols", field="symbols"
            ) from None
        try:
            return symbols_from(orjson.loads(content)).text()
        except (InvalidRequest, ValueError) as error:
            raise DamagedFile(
                f"the set of symbols of the run {source} is damaged: {error}",
                field="symbols",
            ) from None

    def data_of(self, run: ServedRun) -> Path | None:
        """Return the folder of a run's images; None where its set is gone."""
        if (run.folder / SYMBOLS_FILE).exists():
            return run.folder
        dataset = str(run.request.recipe.get("dataset"))
        if dataset.startswith(PREFIX):
            return self._sets.ready().get(dataset.removeprefix(PREFIX))
        return self._data

    def written(self, folder: Path, checked: CheckedRun) -> ServedRun:
        """Write a run's folder, and return the run, which waits.

        Raises:
            OSError: it cannot be written, for example on a full disk.
        """
        recipe, start, symbols = checked
        (folder / WATCHED).mkdir()
        if recipe.dataset == SYMBOLS:
            # A copy: further runs start with it, and the run needs nothing else.
            if symbols is None:
                symbols = (self._data / SYMBOLS_FILE).read_text("utf-8")
            (folder / SYMBOLS_FILE).write_text(symbols, "utf-8")
        if start is not None:
            # A copy: the run that it comes from may be thrown away.
            for name in (start, start.with_suffix(".json")):
                shutil.copyfile(name, folder / f"start{name.suffix}")
        run = ServedRun(folder, write_request(folder, _request(folder.name, recipe)))
        run.is_waiting = True
        run.tell("waiting")
        return run


def _request(id: str, recipe: Recipe) -> dict[str, Any]:
    """Return what a run's folder tells of how it was requested."""
    choices = {**recipe.choices, **({"start": recipe.start} if recipe.start else {})}
    if recipe.dataset == SYMBOLS:
        choices["symbols"] = id  # asked again, it trains on the same ones
    return {
        "recipe": choices,
        "architecture": recipe.architecture,
        "preset": recipe.preset,
        "settings": dict(recipe.settings),
        "started": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "weights": f"{recipe.architecture}-{file_name(recipe.dataset)}{SUFFIX}",
        "shown": f"python -m capsnet_explorer train {shlex.join(recipe.arguments)}",
        "arguments": ["--threads", str(recipe.threads), *recipe.arguments],
    }


def card_of(weights: Path) -> dict[str, Any]:
    """Return what a weight file's card says.

    Raises:
        DamagedFile: it cannot be read.
    """
    try:
        return read_object(weights.with_suffix(".json"))
    except Unreadable as error:
        raise DamagedFile(f"the card {error}") from None
