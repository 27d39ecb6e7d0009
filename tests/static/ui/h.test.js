import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fill, h } from "../../../static/js/ui/h.js";

/** As much of an element as `fill` uses; it counts what is written. */
class FakeElement {
  constructor(tag, namespaceURI) {
    Object.assign(this, { tag, namespaceURI, children: [], attributes: {}, writes: 0 });
    this.style = { setProperty: (name, value) => this.setAttribute(name, value) };
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
    this.writes++;
  }
  removeAttribute(name) {
    delete this.attributes[name];
    this.writes++;
  }
  replaceChildren(...nodes) {
    this.children = nodes;
    this.writes++;
  }
}

const root = () => new FakeElement("div", "html");
beforeEach(() => {
  globalThis.document = {
    createElementNS: (namespace, tag) => new FakeElement(tag, namespace),
  };
});

test("elements become what is described", () => {
  const at = root();
  fill(
    at,
    h("p", { class: "x", hidden: true, title: null }, "a ", h("b", {}, "c")),
    false,
  );
  const [p] = at.children;
  assert.deepEqual([p.tag, p.attributes], ["p", { class: "x", hidden: "" }]);
  assert.equal(p.children[0], "a ");
  assert.deepEqual(p.children[1].children, ["c"]);
});

test("only what differs is written", () => {
  const at = root();
  const describe = (x) => [h("i", { x, y: 1 }), h("i", { x: 5 }, "same")];
  fill(at, describe(1));
  const [first, two] = at.children;
  first.writes = two.writes = at.writes = 0;
  fill(at, describe(2));
  assert.deepEqual(at.children, [first, two]);
  assert.deepEqual([at.writes, first.writes, two.writes], [0, 1, 0]);
  assert.deepEqual(first.attributes, { x: "2", y: "1" });
});

test("what is no longer described goes", () => {
  const at = root();
  fill(at, h("i", { a: 1, onclick: () => {} }), h("u"));
  const [i] = at.children;
  fill(at, h("i", { b: 2 }));
  assert.deepEqual(at.children, [i]);
  assert.deepEqual(i.attributes, { b: "2" });
  assert.equal(i.onclick, null);
});

test("another element in a place is made anew, its neighbours stay", () => {
  const at = root();
  fill(at, h("i"), h("u"), h("b"));
  const [, u, b] = at.children;
  fill(at, h("p"), h("u"), h("b"));
  assert.equal(at.children[0].tag, "p");
  assert.deepEqual(at.children.slice(1), [u, b]);
});

test("what stands in an svg is of its namespace, and buttons submit nothing", () => {
  const at = root();
  fill(at, h("svg", {}, h("g", {}, h("path"))), h("button"));
  const [svg, button] = at.children;
  assert.equal(svg.children[0].children[0].namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(button.attributes.type, "button");
});

test("names of CSS are set as properties, values as they are typed", () => {
  const at = root();
  fill(at, h("input", { "--size": "3px", value: "7" }));
  const [input] = at.children;
  assert.equal(input.attributes["--size"], "3px");
  input.value = "8"; // typed
  fill(at, h("input", { "--size": "3px", value: "7" }));
  assert.equal(input.value, "7");
});

test("a menu is told its value once it has its options", () => {
  const at = root();
  const calls = [];
  document.createElementNS = (namespace, tag) => {
    const element = new FakeElement(tag, namespace);
    Object.defineProperty(element, "value", {
      set: () => calls.push([tag, element.children.length]),
    });
    return element;
  };
  fill(at, h("select", { value: "b" }, h("option", { value: "b" }, "B")));
  assert.deepEqual(calls, [
    ["option", 1],
    ["select", 1],
  ]);
});
