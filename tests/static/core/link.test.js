import assert from "node:assert/strict";
import { test } from "node:test";
import {
  linkIn,
  modelIn,
  fromHash as readLink,
  toHash as writeLink,
} from "../../../static/js/core/link.js";
import { startOf } from "../../../static/js/core/schema.js";
import { initialState, viewIds } from "../../../static/js/core/state.js";
import { EXPERIMENTS } from "../../../static/js/lab/registry.js";
import { pack } from "../../../static/js/lib/pixels.js";
import { grey, MODEL, OTHER_MODEL, randomPixels, seededRandom } from "../fixtures.js";
import { capsnet as network } from "../networks/networks.js";

const SAMPLE = {
  id: "mnist-4",
  label: 4,
  title: "a four",
  source: "test set",
  pixels: randomPixels(seededRandom(4)),
};
const KNOWN = { samples: [SAMPLE], models: [MODEL, OTHER_MODEL] };
const DEFAULTS = {
  model: MODEL,
  kept: null,
  second: "",
  mode: "explore",
  view: "overview",
  opened: [],
  iterations: 3,
  step: 3,
  classIndex: null,
  map: null,
  pixel: null,
  capsule: 21, // the middle of 6 x 6, type 0
  followsStrongest: true,
  dimension: 0,
  conv1: { mode: "relu", order: "number", scale: "layer" },
  edits: {},
  surgery: { silenced: [], routing: "agreement", pins: [] },
};
const PLAIN = { ...initialState(), ...DEFAULTS };
const SHARED = [
  ...["mode", "model", "view", "opened"],
  ...["pixels", "source", "kept", "second", "classIndex"],
];

/** Link and slice in one, as if there were nothing but a capsule network. */
function toHash(state) {
  const slices = {
    [state.model.id]: { ...startOf(network.schema(state.model)), ...state },
  };
  return writeLink({ ...PLAIN, ...state, network, slices });
}

function fromHash(hash, { samples, models }) {
  const model = modelIn(hash, models);
  const known = { ...initialState(), samples, models, model, network };
  const { slices, network: _, unread: __, ...shared } = readLink(hash, known);
  const slice = Object.keys(DEFAULTS)
    .filter((key) => !SHARED.includes(key))
    .map((key) => [key, slices[model.id][key]]);
  const { opened } = known; // stays where there is no link
  return { opened, ...shared, ...Object.fromEntries(slice) };
}
const VIEWS = viewIds(network);
const SURGERIES = [
  { silenced: [], routing: "agreement", pins: [] },
  {
    silenced: [0, 36, 37, 1151],
    routing: "uniform",
    pins: [{ capsule: 21, classIndex: 9, coupling: 0.25 }],
  },
];

test("any state comes back from its link", () => {
  const random = seededRandom(1);
  const below = (count) => Math.floor(random() * count);
  for (let round = 0; round < 200; round++) {
    const iterations = 1 + below(10);
    const edits = {};
    for (let count = below(4); count > 0; count--) {
      edits[below(10)] = Array.from({ length: 16 }, () => (below(3001) - 1500) / 1000);
    }
    const view = VIEWS[below(VIEWS.length)];
    const { folds = {} } = network.views.find(({ id }) => id === view) ?? {};
    const state = {
      model: KNOWN.models[below(2)],
      view,
      opened: Object.keys(folds)
        .filter(() => random() < 0.5)
        .map((panel) => `${view}/${panel}`),
      pixels: randomPixels(random),
      source: { kind: "link" },
      kept:
        random() < 0.5
          ? null
          : { pixels: randomPixels(random), source: { kind: "link" } },
      second: ["", "cnn"][below(2)],
      iterations,
      mode: "explore",
      step: 1 + below(iterations),
      classIndex: random() < 0.3 ? null : below(10),
      map: below(256),
      pixel: below(400),
      ...(random() < 0.3
        ? { capsule: 21, followsStrongest: true }
        : { capsule: below(1152), followsStrongest: false }),
      dimension: below(8),
      conv1: {
        mode: ["kernels", "pre", "relu"][below(3)],
        order: ["number", "energy"][below(2)],
        scale: ["layer", "tile"][below(2)],
      },
      edits,
      surgery: SURGERIES[below(2)],
    };
    assert.deepEqual(fromHash(toHash(state), KNOWN), state);
  }
});

test("a link's image has the size that its model takes", () => {
  const large = structuredClone(MODEL);
  large.input_shape = [1, 32, 32];
  const pixels = grey(new Uint8Array(32 * 32).fill(3));
  const hash = toHash({ ...PLAIN, model: large, pixels });
  const link = fromHash(hash, { samples: [], models: [large] });
  assert.deepEqual(link.pixels, pixels);
  assert.equal("pixels" in fromHash(hash, KNOWN), false);
});

const IMAGE = pack(SAMPLE.pixels);

for (const hash of [
  ...["edit=4", "edit=4:16=0.1", "edit=4:3=NaN", "edit=4:3=0", "edit=__proto__:3=0.1"],
  ...["iterations=1e1", "digit=", "<script>=1&&&===&%E0%A4%A"],
  ...[`capsule=${"9".repeat(400)}`, `image=${pack(grey(new Uint8Array(785), 1))}`],
]) {
  test(`a link that says ${hash.slice(0, 40)} keeps the default`, () => {
    assert.deepEqual(fromHash(hash, KNOWN), DEFAULTS);
  });
}

test("an image of no place in a data set came by link", () => {
  const of = `mnist-test/${"9".repeat(400)}/4`;
  const { source } = fromHash(`image=${IMAGE}&of=${of}`, KNOWN);
  assert.deepEqual(source, { kind: "link" });
});

/** What of a link cannot be read. */
function unread(hash) {
  const model = modelIn(hash, KNOWN.models);
  return readLink(hash, { ...initialState(), ...KNOWN, model, network }).unread;
}

test("what a link says in vain is named", () => {
  assert.deepEqual(unread("view=routing&sample=nine-lives"), [
    "the example “nine-lives”",
  ]);
  assert.deepEqual(unread("view=attic&digit=12"), [
    "the view “attic”",
    "the class “12”",
  ]);
  assert.deepEqual(unread("model=gone&view=input"), ["the model “gone”"]);
  assert.deepEqual(unread("view=compare&kept-sample=ten&kept-image=AA"), [
    "the example to compare with “ten”",
    "the image to compare with “AA”",
  ]);
  assert.deepEqual(unread("#nonsense"), ["any setting"]);
});

test("a name that means nothing is told, and not passed over", () => {
  assert.deepEqual(unread("mode=lab&lab=attack"), ["the setting “lab”"]);
  assert.deepEqual(unread("view=input&samlpe=four-open"), ["the setting “samlpe”"]);
  assert.deepEqual(unread("view=input&v=2"), []);
});

test("an experiment opens again by its link, whatever it is called", () => {
  for (const id of ["light", "pooling", "view", "rest"]) {
    const experiment = { ...EXPERIMENTS[0], id };
    const experiments = [experiment];
    const known = { ...initialState(), ...KNOWN, network, experiments };
    const link = writeLink({
      ...PLAIN,
      ...known,
      mode: "lab",
      lab: { ...known.lab, experiment: id },
    });
    const { mode, lab, unread } = readLink(link, known);
    assert.deepEqual([mode, lab.experiment, unread], ["lab", id, []]);
  }
});

test("a link behind the ? is read where there is none behind the #", () => {
  assert.equal(linkIn({ hash: "", search: "?model=cnn-mnist" }), "model=cnn-mnist");
  assert.equal(linkIn({ hash: "#view=input", search: "?model=a" }), "#view=input");
  assert.equal(linkIn({ hash: "", search: "?present" }), "");
});

test("an image that was cut is named by its beginning", () => {
  const half = IMAGE.slice(0, IMAGE.length / 2);
  const [words, ...others] = unread(`view=input&image=${half}`);
  assert.deepEqual(others, []);
  assert.ok(words.startsWith(`the image “${half.slice(0, 10)}`));
  assert.ok(words.length < 50);
  assert.deepEqual(unread(`view=input&image=${IMAGE}`), []);
  assert.deepEqual(unread("image=none"), []);
});

/** The panels that a link opens, in a page where some are open. */
function openedBy(hash, opened = []) {
  const known = { ...initialState(), ...KNOWN, model: MODEL, network, opened };
  return readLink(hash, known).opened;
}

test("a link that says no panels opens those that hold what it says", () => {
  const links = {
    "view=routing": [],
    "view=routing&silence=3": ["routing/surgery"],
    "view=routing&capsule=7&silence=3": ["routing/capsule", "routing/surgery"],
    "view=routing&capsule=7&open=": [],
    "view=routing&silence=3&open=capsule": ["routing/capsule"],
    "view=input&silence=3": [],
    "view=routing&open=nothing": [],
  };
  for (const [link, panels] of Object.entries(links))
    assert.deepEqual(openedBy(link), panels, link);
});

test("a link says that a panel is folded which it would open otherwise", () => {
  const state = { ...PLAIN, view: "routing", capsule: 7, followsStrongest: false };
  const folded = toHash(state);
  assert.match(folded, /&open=$/);
  assert.deepEqual(openedBy(folded), []);
  const open = toHash({ ...state, opened: ["routing/capsule"] });
  assert.doesNotMatch(open, /open=/);
  assert.deepEqual(openedBy(open), ["routing/capsule"]);
});

test("what is open stays open in other views, and where there is no link", () => {
  const before = ["routing/capsule", "other/panel"];
  assert.equal(openedBy("", before), undefined);
  assert.deepEqual(openedBy("view=routing&open=surgery", before), [
    "other/panel",
    "routing/surgery",
  ]);
});

test("what other modes show is kept in links while they are open", async () => {
  const slices = { [MODEL.id]: startOf(network.schema(MODEL)) };
  const base = { ...PLAIN, models: [MODEL], network, slices };
  const parts = {
    train: {
      tab: "inside",
      run: "3f2a9c01",
      beside: "77aa",
      step: 640,
      over: "seconds",
    },
    atlas: { map: "pixels", selection: { kind: "misread" }, point: 7 },
  };
  for (const [mode, part] of Object.entries(parts)) {
    const state = { ...base, mode, [mode]: part };
    const known = {
      ...base,
      ...initialState(),
      models: [MODEL],
      model: MODEL,
      network,
    };
    assert.deepEqual(readLink(writeLink(state), known)[mode], part);
    const hash = writeLink({ ...state, mode: "explore" });
    assert.equal(readLink(hash, known)[mode], undefined);
    assert.deepEqual(readLink(hash, known).unread, []);
  }
});
