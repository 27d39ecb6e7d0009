/** Runs as the server tells of them, made by chance. */
import { newRun } from "../../../static/js/site/worker/runs.js";
import { addEvent, createHistory } from "../../../static/js/train/history.js";
import { nameNetworks } from "../../../static/js/train/words.js";
import { seededRandom } from "../fixtures.js";

/** Events of a run with a snapshot every so often, and counts that come and go. */
export function madeEvents(seed, { steps = 40, tested = 2000, batch = 64 } = {}) {
  const random = seededRandom(seed);
  const events = [
    { event: "state", step: 0, images: 0, seconds: 0, state: "waiting" },
    { event: "state", step: 0, images: 0, seconds: 0, state: "running" },
    {
      event: "state",
      step: 0,
      images: 0,
      seconds: 0,
      state: "running",
      total: steps,
      examples: batch * steps,
    },
  ];
  for (let step = 0; step <= steps; step++) {
    const at = { step, images: batch * step, seconds: 0.05 * step };
    if (step > 0)
      events.push({
        event: "progress",
        ...at,
        loss: random() / step,
        accuracy: 1 - random() / step,
        learning_rate: 0.002 * random(),
        images_per_second: 1280,
      });
    const isTested = random() < 0.7 || step === 0 || step === steps;
    const wrong = Math.floor((tested * random()) / (step + 1));
    if (step % 3 === 0 || step === steps)
      events.push({
        event: "snapshot",
        ...at,
        bytes: 1,
        error: isTested ? wrong / tested : null,
        tested: isTested ? tested : null,
      });
  }
  events.push({
    event: "state",
    step: steps,
    images: batch * steps,
    seconds: 0.05 * steps,
    state: "done",
  });
  return events;
}

/** What is known after these events. */
export function historyOf(events) {
  const history = createHistory();
  events.forEach((event, i) => {
    addEvent(history, event, i + 1);
  });
  return history;
}

/** A run as it is listed. */
export const RUN = newRun({
  ...{ id: "3f2a9c01", recipe: {}, architecture: "capsnet", total: 40 },
  settings: { epochs: 3, learning_rate: 0.002, routing_iterations: 3, seed: 0 },
});

const setting = (name, group, type, usual, more = {}) => ({
  name,
  group,
  type,
  default: usual,
  help: `what ${name} is`,
  title: name.replaceAll("_", " "),
  first: false,
  minimum: null,
  maximum: null,
  choices: null,
  count: null,
  ...more,
});

export const RECIPES = {
  allowed: true,
  reason: null,
  at_once: 2,
  default: "capsnet",
  datasets: [{ name: "mnist", title: "MNIST", ready: true }],
  architectures: [
    {
      name: "capsnet",
      title: "CapsNet",
      settings: [
        setting("epochs", "recipe", "integer", 3, { first: true }),
        setting("learning_rate", "recipe", "number", 0.002),
        setting("schedule", "recipe", "choice", "cosine", {
          choices: ["cosine", "exponential"],
        }),
        setting("examples", "recipe", "integer", 0),
        setting("seed", "recipe", "integer", 0, { first: true }),
        setting("decoder_hidden", "network", "integer", [256, 512], { count: 2 }),
        setting("routing_iterations", "network", "integer", 3, { first: true }),
        setting("reconstruction_weight", "loss", "number", 0.0005),
      ],
    },
    {
      name: "cnn",
      title: "CNN",
      settings: [
        setting("epochs", "recipe", "integer", 3, { first: true }),
        setting("examples", "recipe", "integer", 0),
        setting("seed", "recipe", "integer", 0, { first: true }),
      ],
    },
  ],
};

nameNetworks(RECIPES); // as the page does once it knows them
