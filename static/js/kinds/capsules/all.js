/**
 * All capsules of a layer without a grid, each a row of its numbers.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Values } from "../../ui/values.js"
 * @import { CapsulesState } from "./types.js"
 */
import { signed } from "../../lib/format.js";
import { vectorRows } from "../vectors.js";
import { choosing } from "./places.js";

/** @type {Panel<CapsulesState, CapsulesState, (patch: Partial<CapsulesState>) => void>} */
export const all = {
  id: "all",
  look: "capsules-all",
  title: ({ trace }) => `All ${trace.tensors.poses.shape[0]} capsules`,
  picture({ trace, capsule, dimension }, set) {
    const { poses, activation } = trace.tensors;
    const [count, size] = poses.shape;
    return vectorRows({
      ...{ label: "Numbers of all capsules", of: "capsule", names: numbered(count, 0) },
      ...{ values: poses.data, lengths: activation.data },
      chosen: { row: capsule, column: dimension },
      choose: ({ row, column }) => set({ ...choosing(row), dimension: column }),
      words: ({ row, column }) =>
        `capsule ${row}, number ${column + 1}: ${signed(poses.data[row * size + column])}`,
    });
  },
  table: {
    title: "All capsules as a table",
    of({ trace }) {
      const { poses, activation } = trace.tensors;
      const [count, size] = poses.shape;
      /** @type {Values["columns"][number][]} */
      const columns = numbered(size, 1).map((name, i) => [
        name,
        Array.from({ length: count }, (_, row) => poses.data[row * size + i]),
      ]);
      return [{ of: "capsule", columns: [["length", activation.data], ...columns] }];
    },
  },
};

/** @param {number} count @param {number} from */
const numbered = (count, from) =>
  Array.from({ length: count }, (_, i) => String(from + i));
