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
  const module = await next(specifier, context);
  for (const [end, replacement] of Object.entries(REPLACED))
    if (module.url.endsWith(`/static/js/${end}`))
      return {
        ...module,
        url: new URL(`replaced/${replacement}`, import.meta.url).href,
      };
  return module;
}
