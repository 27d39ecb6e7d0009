"""What an answer over HTTP says, read as tests compare it."""

import json

BINARY = {"Accept": "application/x-safetensors"}


def refusal(response, status=422):
    """Return the message and the field of an answer that refuses."""
    assert response.status_code == status, response.text
    error = response.json["error"]
    return error["message"], error["field"]


def metadata_of(body):
    """Return the metadata of a safetensors file."""
    length = int.from_bytes(body[:8], "little")
    return json.loads(body[8 : 8 + length])["__metadata__"]
