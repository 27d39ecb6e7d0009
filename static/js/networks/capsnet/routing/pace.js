/**
 * Playing the iterations of routing, at the usual pace or slowly.
 * @import { Actions, RoutingStore } from "../types.js"
 */
import { find } from "../../../ui/dom.js";
import { mountPlay } from "../../../ui/motion.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
export function mountPace(root, store, actions) {
  const slow = find(root, "[data-slow]", HTMLButtonElement);
  const isSlow = () => store.shown()?.routed.pace === "slow";
  const { keepPace } = mountPlay(root, store, actions, isSlow);
  slow.addEventListener("click", () =>
    actions.lookAtRouting({ pace: isSlow() ? "usual" : "slow" }),
  );
  store.watch(["routed"], ({ routed }) => {
    const pressed = String(routed.pace === "slow");
    if (slow.getAttribute("aria-pressed") === pressed) return;
    slow.setAttribute("aria-pressed", pressed);
    keepPace();
  });
}
