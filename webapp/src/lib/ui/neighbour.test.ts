import { expect, it, onTestFinished } from "vitest";
import { focusNeighbour } from "./neighbour";

function page(html: string) {
  const main = document.createElement("main");
  main.tabIndex = -1;
  main.innerHTML = html;
  document.body.append(main);
  onTestFinished(() => {
    main.remove();
  });
  return (id: string) => {
    const button = main.querySelector<HTMLElement>(`#${id}`);
    if (button === null) throw new Error(`there is no ${id}`);
    focusNeighbour(button);
    return document.activeElement?.id ?? "";
  };
}

// After a row is deleted, the keyboard focus is on the row next to it.
it("goes to the next row, from the last to the one before, and from the only one to the content", () => {
  const from = page(
    '<ul><li><a href="/a" id="a">A</a><button id="da">x</button></li><li><button id="b">B</button></li></ul>' +
      '<table><tbody><tr><td><button id="c">x</button></td></tr><tr><td>what else there is of it</td></tr>' +
      '<tr><td><button id="d">x</button></td></tr></tbody></table><ol><li><button id="e">x</button></li></ol>',
  );
  expect(from("da")).toBe("b");
  expect(from("b")).toBe("a");
  expect(from("c")).toBe("d");
  from("e");
  expect(document.activeElement?.tagName).toBe("MAIN");
});

it("goes to the group beside, from a row that is alone in its own", () => {
  const group = (id: string) =>
    `<section><h3>${id}</h3><ul><li><a href="/" id="${id}">A</a><button id="x${id}">x</button></li></ul></section>`;
  const from = page(`<div>${group("g")}${group("h")}${group("i")}</div>`);
  expect(from("xg")).toBe("h");
  expect(from("xh")).toBe("i");
  expect(from("xi")).toBe("h");
});

it("stays in the dialog", () => {
  const from = page('<div role="dialog" tabindex="-1" id="dialog"><ul><li><button id="f">x</button></li></ul></div>');
  expect(from("f")).toBe("dialog");
});
