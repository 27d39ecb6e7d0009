"""The film of a network's training."""

from flask import Response

from capsnet_explorer.app.api.answers import FilmAnswer
from capsnet_explorer.app.api.describe import api_blueprint, tensors
from capsnet_explorer.app.api.wire import contiguous, tensor_answer, wants_safetensors
from capsnet_explorer.app.content.film import FILM, load_film
from capsnet_explorer.app.http.caching import fresh, tag_of

api = api_blueprint("film", "A training, recorded.")


@api.get("/film", responses={200: tensors(FilmAnswer), 304: None})
def get_film() -> Response:
    """Return pictures and figures of the moments of a small CapsNet's training.

    Tensors, an entry for each moment, more of them at the beginning: `steps`, `images`
    and `seconds` since it began; `wrong`, how many of the first `tested` test images
    are misread; `loss`, the mean over the last training images; `kernels` (moments,
    kernels, rows, columns), the first of all `kernels` of the first layer; `lengths`
    (moments, samples, classes), the scores of some of the sample digits, and `drawn`
    (moments, samples, rows, columns), 0..255, what the network draws of the class that
    it reads in each.
    """
    film = load_film()

    def answer() -> Response:
        return tensor_answer(
            lambda: {**film.facts, "tensors": contiguous(film.tensors)},
            film.tensors,
            film.facts,
        )

    form = ".safetensors" if wants_safetensors() else ""
    response = fresh(f"{tag_of(FILM.read_bytes())}{form}", answer)
    response.vary.add("Accept")
    return response
