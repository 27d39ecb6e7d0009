/** What is particular to networks of matrix capsules. */
import type { Actions as SharedActions } from "../../core/state.js";
import type { Model, NetworkState } from "../../types.js";

/** The sizes that a weight file's card records; see `model/matrix/config.py`. */
export interface MatrixSizes {
  image_size: number;
  kernel_size: number;
  conv1_kernels: number;
  primary_types: number;
  caps1_types: number;
  caps2_types: number;
  capsule_kernel: number;
  classes: number;
  routing_iterations: number;
  variance_floor: number;
}

/** Its entry of `GET /api/models`. */
export interface MatrixModel extends Model {
  card: Model["card"] & { config: MatrixSizes };
}

/** Its slice of the state: nothing yet is chosen but the class in focus, which all share. */
export type MatrixSlice = object;

/** What its views can do. */
export type Actions = SharedActions;

export interface Matrix {
  model: MatrixModel;
  slice: MatrixSlice;
  actions: object;
}

export type MatrixState = NetworkState<Matrix>;
