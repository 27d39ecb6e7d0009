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
def article() -> Response:
    """Return all chapters; each step links to the live state that it speaks of."""
    terms = load_glossary()
    ids = {form.lower(): term.id for term in reversed(terms) for form in term.forms}
    return _page(
        "guide/article.html",
        terms=terms,
        term_ids=ids,  # of two entries with one form, the first
        chapters=current_guide().chapters,
        ending=ending(),
        worksheets=load_worksheets(),
    )


@blueprint.get("/guide/worksheet/<int:number>")
def worksheet(number: int) -> Response:
    """Return one worksheet, with its solutions at the end."""
    sheets = {sheet.number: sheet for sheet in load_worksheets()}
    if number not in sheets:
        abort(404)
    return _page("guide/worksheet.html", sheet=sheets[number])


@blueprint.get("/claims")
def claims() -> Response:
    """Return what was measured of the promises made for capsules."""
    return _page("guide/claims.html", document=claims_page())


def _page(template: str, **content: Any) -> Response:
    response = make_response(render_template(template, **addresses(), **content))
    response.add_etag(weak=True)  # weak, so that it stays valid under compression
    response.make_conditional(request)
    return response
