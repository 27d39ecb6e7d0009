/**
 * What the images of a test set show, and what a network reads in them: one class each, or
 * two of digits on top of each other.
 */

/** Of toys, what an atlas's `views` say of each image, in this order. */
export const VIEWS = /** @type {const} */ (["toy", "azimuth", "elevation", "light"]);

/**
 * A network's test set, an entry for each image in every list.
 * @typedef {object} Atlas
 * @property {number} count
 * @property {number} total of the whole test set; where it is more, these are the first
 * @property {number} perImage how many classes an image shows, and how many are read: 1 or 2
 * @property {ArrayLike<number>} labels `perImage` of every image in turn
 * @property {ArrayLike<number>} predictions as many: the classes with the highest scores,
 *   highest first
 * @property {ArrayLike<number>} sure the scores of these
 * @property {ArrayLike<number>} best the lowest of these: of one class, the highest of all
 * @property {string} measure what that is called, such as `highest length`
 * @property {ArrayLike<number> | null} errors of reconstruction; null without a decoder
 * @property {Readonly<Record<string, ArrayLike<number>>>} positions of each map: x and y in
 *   turn, within -1..1
 * @property {Pairs | null} pairs what images of two digits are made of
 * @property {ArrayLike<number> | null} views of toys: number of the toy, azimuth and
 *   elevation in degrees and number of the light, of every image in turn
 * @property {readonly string[]} names of the classes
 * @property {string} title of the network
 * @property {string} score what its scores are called
 * @property {"length" | "probability" | "activation" | "score"} kind what these are
 * @property {readonly Other[]} others networks that were measured on the same images
 * @property {readonly Other[]} moments of the same network's training, which were read
 */

/**
 * @typedef {object} Pairs
 * @property {ArrayLike<number>} digits both of each image, by their numbers in the test set
 *   of single digits
 * @property {ArrayLike<number>} shifts of each digit: pixels down and right
 */

/**
 * Another network, and what it reads in the images that it misreads.
 * @typedef {object} Other
 * @property {string} id
 * @property {string} title
 * @property {ReadonlyMap<number, readonly number[]>} misread
 */

/** What is read and shown. @typedef {Pick<Atlas, "perImage" | "labels" | "predictions">} Read */

/** @param {Pick<Atlas, "perImage" | "labels">} atlas @param {number} image */
export const labelsOf = ({ perImage, labels }, image) =>
  entries(labels, perImage, image);

/** @param {Pick<Atlas, "perImage" | "predictions">} atlas @param {number} image */
export const readingsOf = ({ perImage, predictions }, image) =>
  entries(predictions, perImage, image);

/** @param {ArrayLike<number>} list @param {number} perImage @param {number} image */
export const entries = (list, perImage, image) =>
  Array.from({ length: perImage }, (_, k) => list[perImage * image + k]);

/** How many of an image's labels are read. @param {Read} atlas @param {number} image */
export function rightOf(atlas, image) {
  const { perImage, labels, predictions } = atlas;
  if (perImage === 1) return Number(labels[image] === predictions[image]);
  const read = readingsOf(atlas, image);
  return labelsOf(atlas, image).filter((label) => read.includes(label)).length;
}

/** @param {Read} atlas @param {number} image */
export const isMisread = (atlas, image) => rightOf(atlas, image) < atlas.perImage;

/** Whether two lists have the same classes. @param {readonly number[]} a @param {readonly number[]} b */
export const isSameClasses = (a, b) =>
  a.length === b.length && a.every((label) => b.includes(label));

/**
 * What a network reads in the images that it misreads.
 * @param {Read & Pick<Atlas, "count">} atlas
 * @returns {Other["misread"]}
 */
export function misreadIn(atlas) {
  /** @type {Map<number, readonly number[]>} */
  const readings = new Map();
  for (let i = 0; i < atlas.count; i++)
    if (isMisread(atlas, i)) readings.set(i, readingsOf(atlas, i));
  return readings;
}

/**
 * Whether an image is in a cell of the confusion matrix: it shows the one class and is read
 * as the other; where these differ, the one is not read and the other not shown.
 * @param {Read} atlas @param {number} image @param {number} label @param {number} read
 */
export function isInCell(atlas, image, label, read) {
  const [labels, readings] = [labelsOf(atlas, image), readingsOf(atlas, image)];
  if (!labels.includes(label) || !readings.includes(read)) return false;
  return label === read || (!labels.includes(read) && !readings.includes(label));
}

/**
 * How many images are in each cell of the confusion matrix.
 * @param {Read & Pick<Atlas, "count" | "names">} atlas
 * @returns {number[][]} [label][class read]
 */
export function confusion(atlas) {
  const counts = atlas.names.map(() => atlas.names.map(() => 0));
  for (let i = 0; i < atlas.count; i++)
    for (const label of labelsOf(atlas, i))
      for (const read of readingsOf(atlas, i))
        if (isInCell(atlas, i, label, read)) counts[label][read]++;
  return counts;
}

/**
 * One class, or two: `4 9`.
 * @param {Pick<Atlas, "names">} atlas @param {readonly number[]} classes
 */
export const groupName = ({ names }, classes) =>
  [...classes]
    .sort((a, b) => a - b)
    .map((label) => names[label])
    .join(" ");

/**
 * Which class, or which pair of classes, each image shows.
 * @param {Pick<Atlas, "count" | "perImage" | "labels" | "names">} atlas
 * @returns {{ names: string[], of: number[] }} the names of these groups, such as `4 9`, and
 *   the group of each image
 */
export function groupsOf(atlas) {
  const { names, count, perImage } = atlas;
  const images = Array.from({ length: count }, (_, i) => i);
  if (perImage === 1)
    return { names: [...names], of: images.map((i) => atlas.labels[i]) };
  const keys = images.map((i) => groupName(atlas, labelsOf(atlas, i)));
  const groups = [...new Set(keys)].sort();
  const places = new Map(groups.map((name, index) => [name, index]));
  return { names: groups, of: keys.map((key) => places.get(key) ?? 0) };
}
