/**
 * A network of one's own: the lines of Python that describe it, for layers like those of the
 * network on show, to copy. On a site, which runs no Python: weights of one's own.
 * @import { Actions, AppState, DescribedLayer, Model, Store } from "../types.js"
 */

import { isCopied } from "../ui/copying.js";
import { find, findElement, setText } from "../ui/dom.js";

const NAME = "net";
const EXAMPLES = 8; // images that a description is checked on
const SAID_MS = 2500;

/**
 * The lines that describe a module with layers like a model's.
 * @param {Pick<Model, "layers" | "input_shape" | "tensors">} model
 */
export function linesFor(model) {
  const { layers, input_shape: shape } = model;
  /** Capsules that routing makes are no layer of a description. @type {Map<string, string>} */
  const ids = new Map();
  const lines = [];
  for (const layer of layers) {
    const own = layer.id.replace(/-/g, "_");
    const made = layers.find(({ id }) => id === layer.below)?.kind === "routing";
    if (layer.kind === "capsules" && made) {
      ids.set(layer.id, ids.get(layer.below ?? "") ?? own);
      continue;
    }
    ids.set(layer.id, own);
    lines.push(
      ...linesOf(layer, own, layer.below && (ids.get(layer.below) ?? null), model),
    );
  }
  return [
    "import capsnet_explorer as ce",
    "",
    `# ${NAME}: your nn.Module. images: about ${EXAMPLES} of its inputs, (n, ${shape.join(", ")})`,
    "mine = ce.describe(",
    `    ${NAME},`,
    "    [",
    ...lines.map((line) => `        ce.${line},`),
    "    ],",
    "    images,",
    "    # scores=lambda answer: answer[0],  # if it returns more than its scores",
    ")",
    "print(mine.report)",
    "mine.explore().wait()  # in a notebook, mine.explore() shows it below the cell",
  ].join("\n");
}

/**
 * @param {DescribedLayer} layer @param {string} id @param {string | null} below
 * @param {Pick<Model, "tensors">} model
 * @returns {string[]}
 */
function linesOf(layer, id, below, { tensors }) {
  const part = `"${id}", ${NAME}.${id}`;
  const read = below === null ? "" : `, below="${below}"`;
  /** @param {string} role */
  const shapeOf = (role) =>
    tensors.find(({ name }) => name === layer.tensors[role])?.shape ?? [];
  switch (layer.kind) {
    case "convolution":
      return [`Convolution(${part}${read})`];
    case "pooling":
      return [`Pooling("${id}"${read}, size=${sizeOf(layer)})`];
    case "dense":
      return [`Dense(${part}${read})`];
    case "capsules":
      if (!layer.tensors.before || (layer.form ?? "vectors") !== "vectors") break;
      return [`Capsules(${part}, size=${shapeOf("poses").at(-1)}${read})`];
    case "routing":
      if (layer.form !== "dynamic") break;
      return [`Routing("${id}", lambda: ${NAME}.W${read})`];
    case "classes":
      if (layer.form !== "probabilities") return ["Classes()"];
      return [`Dense("out", ${NAME}.out${read})`, "Classes()"];
    case "decoder":
      return [`Decoder(${NAME}.decoder)`];
  }
  return [`Values(${part})`];
}

/** @param {DescribedLayer} layer */
function sizeOf({ window }) {
  const size = window?.size ?? 2;
  return typeof size === "number" ? size : size[0];
}

/**
 * @param {HTMLElement} root holds the dialog
 * @param {Store<AppState>} store @param {HTMLElement} announcer
 * @returns {() => void} opens it
 */
export function mountOwnNetwork(root, store, announcer) {
  const dialog = find(root, '[data-dialog="own"]', HTMLDialogElement);
  const code = findElement(dialog, "[data-lines]");
  const copy = find(dialog, "[data-copy-lines]", HTMLButtonElement);
  let timer = 0;

  copy.addEventListener("click", async () => {
    clearTimeout(timer);
    if (await isCopied(code.textContent ?? "")) {
      setText(copy, "Copied");
      announcer.textContent = "The lines are copied.";
    } else {
      getSelection()?.selectAllChildren(code);
      setText(copy, "Selected: copy them with Ctrl C");
    }
    timer = setTimeout(() => setText(copy, "Copy the lines"), SAID_MS);
  });

  return () => {
    const { model } = store.get();
    if (model === null) return;
    setText(findElement(dialog, "[data-like]"), model.title);
    setText(code, linesFor(model));
    dialog.showModal();
  };
}

/**
 * What opens a file of weights, beside the networks of a site.
 * @param {Store<AppState>} store @param {Pick<Actions, "report" | "useModel">} actions
 * @param {(file: File, models: readonly Model[]) => Promise<Model>} open
 * @param {(models: readonly Model[]) => Promise<void>} complete brings all that is known of them
 */
export function weightsReader(store, actions, open, complete) {
  return async (/** @type {File} */ file) => {
    const { model, models } = store.get();
    try {
      const others = models.filter((each) => each !== model && !each.kept);
      const all = model === null || model.kept ? others : [model, ...others];
      await complete(all);
      const own = await open(file, all);
      store.set({ models: [...store.get().models, own] });
      await actions.useModel(own);
    } catch (error) {
      actions.report(/** @type {Error} */ (error).message);
    }
  };
}

/**
 * @param {HTMLElement} root holds the dialog @param {(file: File) => void} read
 * @returns {() => void} opens it
 */
export function mountOwnWeights(root, read) {
  const dialog = find(root, '[data-dialog="own"]', HTMLDialogElement);
  const chooser = find(dialog, "[data-weights]", HTMLInputElement);
  chooser.addEventListener("change", () => {
    const [file] = chooser.files ?? [];
    if (file === undefined) return;
    dialog.close();
    read(file);
    chooser.value = ""; // so that the same file can be chosen again
  });
  return () => dialog.showModal();
}
