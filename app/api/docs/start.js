// @ts-check
/* global SwaggerUIBundle */
// @ts-expect-error The bundle before this script defines it.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  validatorUrl: null, // by default a badge is fetched from elsewhere
});
