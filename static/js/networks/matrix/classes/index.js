/**
 * The class capsules: the activation of each, and the pose matrix of the one in focus.
 * @import { ViewStore } from "../../../types.js"
 * @import { Actions, Matrix } from "../types.js"
 */
import { focusedDigit, knownLabel } from "../../../core/state.js";
import { fixed } from "../../../lib/number.js";
import { onChange } from "../../../lib/on-change.js";
import { ranked } from "../../../lib/rank.js";
import { findElement } from "../../../ui/find.js";
import { fillScoreAxis, scoreRows } from "../../../ui/score-rows.js";
import { valueTable } from "../../../ui/value-table.js";
import { poseOf, SIDE } from "./pose.js";

/**
 * @param {HTMLElement} root
 * @param {ViewStore<Matrix, "scores" | "classes.poses">} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const rows = scoreRows(findElement(root, "[data-rows]"), actions.focusDigit);
  const title = findElement(root, "[data-pose-title]");
  const pose = findElement(root, "[data-pose]");
  fillScoreAxis(findElement(root, "[data-axis]"));
  const name = onChange(rows.name);

  store.watch(
    ["trace", "model", "source", "digit"],
    ({ trace, model, source, digit: chosen }) => {
      const { data: scores } = trace.tensors.scores;
      const [first, second] = ranked(scores);
      const label = knownLabel(source, model);
      const digit = focusedDigit({ digit: chosen, trace });
      name(model.class_names);
      rows.show(
        Array.from(scores, (score, place) => ({
          score,
          number: fixed(score, 3),
          isFirst: place === first,
          tags: [
            place === first ? "most active" : "",
            place === second ? "runner-up" : "",
            place === label ? "true label" : "",
          ].filter((tag) => tag !== ""),
        })),
      );
      rows.focus(digit);
      title.textContent = `Pose matrix of class ${model.class_names[digit]}`;
      pose.replaceChildren(
        valueTable(poseOf(trace.tensors["classes.poses"], digit), {
          rows: SIDE,
          columns: SIDE,
          corner: "row, column",
        }),
      );
    },
  );
}
