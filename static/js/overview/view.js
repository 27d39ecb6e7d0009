/** The view that every network begins with: all of it in one picture. */
import { OVERVIEW } from "../core/state.js";

export const overviewView = {
  id: OVERVIEW,
  title: "Overview",
  shape: () => "all layers",
};
