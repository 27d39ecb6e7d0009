"""What the document cannot say, because it depends on the model that is asked."""

import copy
from typing import Any

# Rows to build images of: drawn number by number, one image would cost more than all
# requests together.
LEVELS = (0, 1, 0.5)


def narrowed(document: dict[str, Any], model: dict[str, Any]) -> dict[str, Any]:
    """Return the document as it would be if `model` were the only one.

    Requests made from it reach the network, which hardly any made from the document
    itself does: it would have to hit upon 28 rows of 28 numbers.

    Args:
        document: the OpenAPI document.
        model: its entry in the answer of `/api/models`.
    """
    document = copy.deepcopy(document)
    schemas = document["components"]["schemas"]
    _, rows, columns = model["input_shape"]
    capsule = _whole(model["primary_capsules"] - 1)
    digit = _whole(model["classes"] - 1)

    trace = schemas["TraceRequest"]["properties"]
    batch = schemas["BatchRequest"]["properties"]
    levels = [[level] * columns for level in LEVELS]
    trace["image"] = _list_of({"enum": levels}, rows)
    attack = schemas["AttackRequest"]["properties"]
    sweep = schemas["SweepRequest"]["properties"]
    for name in ("AttackRequest", "TransformRequest", "NearestRequest", "SweepRequest"):
        schemas[name]["properties"]["image"] = trace["image"]
    attack["label"] = digit
    attack["target"] = {"anyOf": [digit, {"type": "null"}]}
    batch["images"]["items"] = {"enum": [[row] * rows for row in levels]}
    for asked in (trace, batch, sweep):
        number, _null = asked["iterations"]["anyOf"]
        number["maximum"] = model["max_routing_iterations"]
        tensors, _null = asked["tensors"]["anyOf"]
        tensors["items"] = {"enum": [tensor["name"] for tensor in model["tensors"]]}
    trace["silence"] |= {"items": capsule, "uniqueItems": True}

    schemas["PinRequest"]["properties"] |= {"capsule": capsule, "digit": digit}

    edit = schemas["ReconstructRequest"]["properties"]
    edit["digit"] = digit
    number = edit["poses"]["items"]["items"]
    edit["poses"] |= {"items": _list_of(number, model["pose_dim"])}

    for parameter in document["paths"]["/api/datasets/{id}/digits"]["get"][
        "parameters"
    ]:
        if parameter["name"] == "label":
            parameter["schema"] = digit
        elif parameter["name"] == "mistakes_of":
            parameter["schema"] = {"type": "string", "enum": [model["id"]]}
    return document


def _whole(maximum: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": maximum}


def _list_of(items: dict[str, Any], count: int) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}
