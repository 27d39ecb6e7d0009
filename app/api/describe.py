"""The descriptions of routes in the OpenAPI document."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask_openapi.blueprint import APIBlueprint
from flask_openapi.models.tag import Tag
from flask_openapi.openapi import OpenAPI
from pydantic import BaseModel, Field

from capsnet_explorer.app.api.wire import JSON, SAFETENSORS

BINARY = {"schema": {"type": "string", "format": "binary"}}


class ErrorDetail(BaseModel):
    """The reason for an error."""

    message: str = Field(description="What is needed, then what was given.")
    field: str | None = Field(description="Dotted path of the value at fault.")


class ErrorAnswer(BaseModel):
    """The form of every error."""

    error: ErrorDetail


def api_blueprint(name: str, about: str) -> APIBlueprint:
    """Return a blueprint for one group of routes.

    Args:
        name: of the group in the document, and of the blueprint.
        about: one sentence that describes the group in the document.
    """
    return APIBlueprint(
        name,
        __name__,
        url_prefix="/api",
        abp_tags=[Tag(name=name, description=about)],
        operation_id_callback=_operation_id,
    )


def _operation_id(*, name: str, **_where: str) -> str:
    return name


def errors(*statuses: int) -> dict[Any, Any]:
    """Describe the error statuses of a route; all errors have the same form.

    They refer to its schema, which the app adds: to make it anew for every status would
    take a quarter of a second at each start.
    """
    form = {"$ref": f"#/components/schemas/{ErrorAnswer.__name__}"}
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {JSON: {"schema": form}},
        }
        for status in statuses
    }


def refusals(reasons: Mapping[str, str]) -> list[dict[str, str]]:
    """Return what cannot be used, each with the reason."""
    return [{"id": id, "reason": reason} for id, reason in sorted(reasons.items())]


def answers(
    fields: str, *others: int, status: int = 200, binary: bool = False
) -> dict[Any, Any]:
    """Describe what a route answers.

    Args:
        fields: of the JSON, in words.
        others: the other statuses; from 400 on, those of errors.
        status: of the answer.
        binary: whether it also comes as a safetensors file.
    """
    content = {JSON: {}} | ({SAFETENSORS: BINARY} if binary else {})
    return {
        status: {"description": fields, "content": content},
        **{other: None for other in others if other < 400},
        **errors(*(other for other in others if other >= 400)),
    }


def tensors(fields: str, *others: int) -> dict[Any, Any]:
    """Describe an answer that comes as JSON or as a safetensors file, as `answers`."""
    return answers(fields, *others, binary=True)


def openapi_document(app: OpenAPI) -> dict[str, Any]:
    """Return the document of all routes of `app`."""
    document = app.api_doc
    for path in document["paths"].values():
        for operation in path.values():
            # The generator joins the lines of a docstring for HTML, and gives a 422
            # even to routes without input.
            if text := operation.get("description"):
                operation["description"] = text.replace("<br/>", "\n").strip()
            if not operation.get("parameters") and "requestBody" not in operation:
                operation["responses"].pop("422", None)
    return document
