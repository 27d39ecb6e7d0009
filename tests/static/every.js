/**
 * Runs every test in one process: to start one for each file would take longer than the
 * tests themselves.
 */

import { readdirSync } from "node:fs";

const HERE = new URL("./", import.meta.url);

for (const path of readdirSync(HERE, { encoding: "utf8", recursive: true }).sort())
  if (path.endsWith(".test.js")) await import(new URL(path, HERE).href);
