/**
 * The toy as the knobs turn it; apart from the experiment, since the page begins with that
 * and draws no toys yet.
 * @import { Settings } from "../shared/knobs.js"
 * @import { Source } from "../../types.js"
 * @import { Scene } from "../../toys/scene.js"
 */
import { FIRST } from "../../toys/scene.js";

/**
 * The toy that is on show, or else another, as the knobs turn it.
 * @param {Source} source @param {Settings} settings
 * @returns {Scene}
 */
export function sceneOf(source, { azimuth, elevation }) {
  const scene = source.kind === "toy" ? source : FIRST;
  return { ...scene, azimuth: azimuth % 360, elevation };
}
