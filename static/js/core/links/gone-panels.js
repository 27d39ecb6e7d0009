/**
 * Links of earlier versions: a panel that is gone leads to what took its place.
 * @import { Network, Successor } from "../../types.js"
 */
import { BETWEEN_PARTS } from "./parts.js";

/**
 * Let a link open what answers now in the place of panels that are gone. Where some of the
 * panels that it opens are still there, it stays in their view.
 * @param {URLSearchParams} link changed: its view, its open panels, and names that mean
 *   nothing now
 * @param {Pick<Network, "views"> | null} network
 */
export function leadOn(link, network) {
  const views = network?.views ?? [];
  const shown = views.find(({ id }) => id === link.get("view"));
  if (shown !== undefined) leadFrom(link, shown);
  for (const { formerly = {} } of views)
    for (const { said = [] } of Object.values(formerly))
      for (const name of said) link.delete(name);
}

/** @param {URLSearchParams} link @param {Network["views"][number]} view that it shows */
function leadFrom(link, { folds = {}, formerly = {} }) {
  const open = link.get("open");
  const panels = open?.split(BETWEEN_PARTS) ?? ledTo(link, formerly);
  const successors = panels.flatMap((panel) => formerly[panel] ?? []);
  if (successors.length === 0) return;
  const kept = panels.flatMap((panel) =>
    panel in formerly ? ownPanel(formerly[panel]) : panel,
  );
  const isLedTo = Object.values(folds).some((names) =>
    names.some((name) => link.has(name)),
  );
  if (kept.length > 0) link.set("open", [...new Set(kept)].join(BETWEEN_PARTS));
  else if (open === null && isLedTo) return;
  else {
    const [{ view = "", panel }] = successors;
    link.set("view", view);
    if (panel === undefined) link.delete("open");
    else link.set("open", panel);
  }
}

/**
 * The panels that held what a link says, where it does not say which are open.
 * @param {URLSearchParams} link @param {Readonly<Record<string, Successor>>} formerly
 */
const ledTo = (link, formerly) =>
  Object.entries(formerly).flatMap(([panel, { said = [] }]) =>
    said.some((name) => link.has(name)) ? [panel] : [],
  );

/** A successor in the same view. @param {Successor} successor */
const ownPanel = ({ view, panel }) =>
  view === undefined && panel !== undefined ? [panel] : [];
