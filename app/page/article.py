"""The guide as an article: one page that needs no script."""

from flask import Blueprint, Response, abort, make_response, render_template, request

from app.content.glossary import load_glossary
from app.content.guide import current_guide
from app.content.guide.worksheets import load_worksheets
from app.page.files import current_static_folder

blueprint = Blueprint("article", __name__)


@blueprint.get("/guide")
def article() -> Response:
    """Return all chapters; each step links to the live state that it speaks of."""
    static = current_static_folder().refreshed()
    terms = load_glossary()
    ids = {form.lower(): term.id for term in reversed(terms) for form in term.forms}
    response = make_response(
        render_template(
            "guide/article.html",
            terms=terms,
            term_ids=ids,  # of two entries with one form, the first
            asset=static.address,
            chapters=current_guide().chapters,
            worksheets=load_worksheets(),
        )
    )
    response.add_etag(weak=True)  # weak, so that it stays valid under compression
    response.make_conditional(request)
    return response


@blueprint.get("/guide/worksheet/<int:number>")
def worksheet(number: int) -> Response:
    """Return one worksheet, with its solutions at the end."""
    sheets = {sheet.number: sheet for sheet in load_worksheets()}
    if number not in sheets:
        abort(404)
    static = current_static_folder().refreshed()
    response = make_response(
        render_template(
            "guide/worksheet.html", asset=static.address, sheet=sheets[number]
        )
    )
    response.add_etag(weak=True)
    response.make_conditional(request)
    return response
