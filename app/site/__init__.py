"""The explorer as a folder of files, for hosts that run nothing.

The page is the server's, but for two modules: `core/transport.js` and `lab/registry.js`
lead to those of `static/js/site/`. What does not depend on an image is recorded from
the server's own routes. What does is computed in the visitor's browser, from graphs of
the networks' own code.
"""
