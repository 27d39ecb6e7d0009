/**
 * Where the network on show does not suit an experiment: a network that does, to use.
 * @import { LabServices, LabStore, Model, Sample } from "../../types.js"
 */
import { find, findElement, setText } from "../../ui/dom.js";

/**
 * @param {HTMLElement} root shows `[data-fit]`, or else `[data-unfit]` with a button
 * @param {Pick<LabStore<object>, "watch">} page
 * @param {Pick<LabServices, "useModel">} services
 * @param {(model: Model) => boolean} suits
 * @param {(state: { model: Model, samples: readonly Sample[] }) => boolean} [isFit] whether
 *   the experiment can be shown; when absent, where the network on show suits
 */
export function offerModel(
  root,
  page,
  { useModel },
  suits,
  isFit = ({ model }) => suits(model),
) {
  const [fit, unfit] = ["[data-fit]", "[data-unfit]"].map((each) =>
    findElement(root, each),
  );
  const use = find(unfit, "[data-use]", HTMLButtonElement);
  page.watch(["model", "models", "samples"], (state) => {
    fit.hidden = !isFit(state);
    unfit.hidden = !fit.hidden;
    const offered = state.models.find(suits);
    use.hidden = offered === undefined;
    setText(use, offered ? `Use ${offered.title}` : "");
    use.onclick = () => offered && useModel(offered);
  });
}
