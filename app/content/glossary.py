"""The glossary: reads `glossary.json`, the one source for page, guide and API.

The file is a list of terms, each an object with exactly these keys:

* `id`: names the term in URLs, lower-case words joined by `-`.
* `term`: as it is written in the middle of a sentence.
* `forms`: how it stands in texts. Case does not matter except in symbols.
* `symbol`: how formulas write it, or null.
* `values`: its unit or range, or null.
* `text`: what it means, in whole sentences.
* `seen`: for each architecture that has it, the `view` that shows it, and the `place`
  in that view: the element with the attribute `data-PLACE`.
"""

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

DATA_FILE = Path(__file__).with_name("glossary.json")


class Place(BaseModel):
    """Where the page shows a term."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    view: str = Field(description="The id of a view of the network.")
    place: str = Field(description="The attribute `data-...` of the element.")


class Term(BaseModel):
    """One term of the glossary."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$")
    term: str
    forms: tuple[str, ...] = Field(
        min_length=1, description="How it stands in texts, such as its plural."
    )
    symbol: str | None = Field(description="How formulas write it.")
    values: str | None = Field(description="Its unit or range.")
    text: str = Field(description="What it means, in whole sentences.")
    seen: dict[str, Place] = Field(
        min_length=1, description="Where to see it, by architecture."
    )


@cache
def load_glossary() -> tuple[Term, ...]:
    """Return all terms in the order of the file: each after those that it builds on."""
    terms = TypeAdapter(tuple[Term, ...])
    return terms.validate_json(DATA_FILE.read_bytes())
