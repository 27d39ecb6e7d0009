"""What a graph leaves out of the function that it was taken from."""

import numpy as np
import torch
import torch.nn.functional as F


def test_checks_of_values_are_no_part_of_a_graph(needs):
    needs("site")
    import onnxruntime

    from capsnet_explorer.model.exporting.feeding import with_weights
    from capsnet_explorer.model.exporting.tracing import graph_of

    def marked(label: torch.Tensor) -> torch.Tensor:
        return F.one_hot(label, 3).float()

    graph = with_weights(graph_of(marked, {"label": torch.tensor([1])}, ["mark"]))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    (mark,) = session.run(None, {"label": np.array([2])})
    np.testing.assert_array_equal(mark, [[0, 0, 1]])
