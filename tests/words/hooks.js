/**
 * Puts other modules in the place of three of the page's: `fill` keeps what is described as it
 * is, pictures are drawn at once, seen or not, and what fails is told of.
 */
const REPLACED = {
  "ui/h.js": "h.js",
  "ui/visibility.js": "visibility.js",
  "ui/guard.js": "guard.js",
};

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  for (const [end, own] of Object.entries(REPLACED))
    if (found.url.endsWith(`/static/js/${end}`))
      return { ...found, url: new URL(`replaced/${own}`, import.meta.url).href };
  return found;
}
