/**
 * Where the network on show does not suit an experiment: a network that does, to use.
 * @import { LabServices, LabStore, Model } from "../../types.js"
 */
import { find, setText } from "../../ui/dom.js";

/**
 * @param {HTMLElement} place holds a button `[data-use]`; hidden where nothing is to be said
 * @param {Pick<LabStore<any>, "watch" | "get">} page any: of each experiment its own state
 * @param {Pick<LabServices, "useModel">} services
 * @param {(model: Model) => boolean} suits
 */
export function offerModel(place, page, services, suits) {
  const use = find(place, "[data-use]", HTMLButtonElement);
  const found = () => page.get()?.models.find(suits);
  page.watch(["model", "models"], () => {
    const offered = found();
    use.hidden = offered === undefined;
    setText(use, offered === undefined ? "" : `Use ${offered.title}`);
  });
  use.addEventListener("click", () => {
    const offered = found();
    if (offered !== undefined) services.useModel(offered);
  });
}
