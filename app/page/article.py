"""Pages that need no script: the guide as an article, worksheets, and the claims."""

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request

from capsnet_explorer.app.content.claims import claims_page
from capsnet_explorer.app.content.glossary import load_glossary
from capsnet_explorer.app.content.guide import current_guide, ending
from capsnet_explorer.app.content.guide.worksheets import load_worksheets
from capsnet_explorer.app.page.addresses import addresses

blueprint = Blueprint("article", __name__)


@blueprint.get("/guide")
def contents() -> Response:
    """Return the contents, and what stands behind the chapters: the glossary, say."""
    return _guide_page("guide/contents.html", chapters=current_guide().chapters)


@blueprint.get("/guide/<name>")
def chapter(name: str) -> Response:
    """Return one chapter; each step links to the live state that it speaks of."""
    chapters = current_guide().chapters
    at = next((i for i, entry in enumerate(chapters) if entry.id == name), None)
    if at is None:
        abort(404)
    return _guide_page(
        "guide/chapter_page.html",
        chapter=chapters[at],
        before=chapters[at - 1] if at > 0 else None,
        after=chapters[at + 1] if at + 1 < len(chapters) else None,
        terms_at="../guide",
    )


@blueprint.get("/guide/whole")
def whole() -> Response:
    """Return all chapters on one page, with the answers at its end, to print."""
    return _guide_page("guide/whole.html", chapters=current_guide().chapters)


@blueprint.get("/guide/worksheet/<int:number>")
def worksheet(number: int) -> Response:
    """Return one worksheet."""
    return _sheet("guide/worksheet.html", number)


@blueprint.get("/guide/solutions/<int:number>")
def solutions(number: int) -> Response:
    """Return the solutions of one worksheet."""
    return _sheet("guide/solutions.html", number)


@blueprint.get("/claims")
def claims() -> Response:
    """Return what was measured of the promises made for capsules."""
    return _page("guide/claims.html", document=claims_page())


def _sheet(template: str, number: int) -> Response:
    sheets = {sheet.number: sheet for sheet in load_worksheets()}
    if number not in sheets:
        abort(404)
    return _page(template, sheet=sheets[number])


def _guide_page(template: str, **content: Any) -> Response:
    terms = load_glossary()
    ids = {form.lower(): term.id for term in reversed(terms) for form in term.forms}
    return _page(
        template,
        terms=terms,
        term_ids=ids,  # of two entries with one form, the first
        ending=ending(),
        worksheets=load_worksheets(),
        **content,
    )


def _page(template: str, **content: Any) -> Response:
    response = make_response(render_template(template, **addresses(), **content))
    response.add_etag(weak=True)  # weak, so that it stays valid under compression
    response.make_conditional(request)
    return response
