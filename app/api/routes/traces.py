"""One image through several models in one request."""

from flask import Response

from capsnet_explorer.app.api.catalogue import current_catalogue
from capsnet_explorer.app.api.checks import check_image, check_size, tensors_of
from capsnet_explorer.app.api.describe import api_blueprint, tensors
from capsnet_explorer.app.api.payloads import TracesRequest
from capsnet_explorer.app.api.wire import contiguous, tensor_answer, wants_safetensors
from capsnet_explorer.app.engines.protocol import Engine, Question

SCORES = "scores"  # a tensor of every model

api = api_blueprint("traces", "One image through several models.")


@api.post("/traces", responses=tensors("`traces`, in order.", 404, 409, 413, 415, 422))
def traces(body: TracesRequest) -> Response:
    """Run an image through several models, each with its usual routing.

    `tensors` names, for each model by its id, the tensors to return; without it, every
    model that takes images of this size returns its scores.

    In a safetensors response a tensor's name follows its model's id and a slash, as in
    `capsnet-mnist/scores`, and so do `prediction`, its `name`, `present`, `version`
    and, for a model with routing, `iterations` in the metadata.
    """
    questions = _questions(body)
    answers = [
        (engine.info, question, engine.trace(question))
        for engine, question in questions
    ]
    scalars = {
        f"{info.id}/{name}": value
        for info, question, trace in answers
        for name, value in {
            **question.options.in_response,
            "prediction": trace.prediction,
            "name": info.class_names[trace.prediction],
            "present": trace.present,
            "version": info.version,
        }.items()
    }
    return tensor_answer(
        lambda: {
            "traces": [
                {
                    "model": info.id,
                    "iterations": None,
                    **question.options.in_response,
                    "prediction": trace.prediction,
                    "name": info.class_names[trace.prediction],
                    "present": trace.present,
                    "tensors": contiguous(trace.tensors),
                }
                for info, question, trace in answers
            ]
        },
        {
            f"{info.id}/{name}": tensor
            for info, _, trace in answers
            for name, tensor in trace.tensors.items()
        },
        scalars,
    )


def _questions(body: TracesRequest) -> list[tuple[Engine, Question]]:
    """Return what to ask of which engine, before any of them computes."""
    catalogue = current_catalogue()
    wanted = body.tensors
    if wanted is None:
        infos = [engine.info for engine in catalogue.engines.values()]
        check_size(infos, body.image)
        fitting = [info for info in infos if info.input_shape == body.image.shape]
        wanted = {info.id: [SCORES] for info in fitting}
    questions = []
    for id, names in wanted.items():
        engine = catalogue.engine(id, field="tensors")
        check_image(engine.info, body.image)
        question = Question(
            image=body.image,
            options=engine.options({}),
            names=tensors_of(engine.info, names, field=f"tensors.{id}"),
            half=wants_safetensors(),
        )
        questions.append((engine, question))
    return questions
