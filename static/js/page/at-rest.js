/** What the page needs once it is at rest: one pack. */
import { mountGlossary } from "./glossary/index.js";
import { mountSaving } from "./saving/index.js";

export const atRest = { mountGlossary, mountSaving };
