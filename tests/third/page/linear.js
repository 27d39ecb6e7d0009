/** A linear classifier on the page: its one layer. */
import { classes } from "../kinds/classes/index.js";
import { createNetwork } from "../kinds/network.js";

export const network = createNetwork({
  layers: [
    {
      id: "scores",
      title: "Scores",
      kind: classes,
      tensors: { scores: "scores", logits: "logits", below: "pixels" },
      weights: { weights: "layer.weight", bias: "layer.bias" },
      words: { form: "probabilities" },
    },
  ],
});
