import { fireEvent } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { composing, forPage } from "./keys";

afterEach(() => {
  document.body.replaceChildren();
});

it.each([
  [{ key: "Enter", keyCode: 13, nativeEvent: { isComposing: true } }, true],
  [{ key: "Process", keyCode: 229, nativeEvent: { isComposing: false } }, true],
  [{ key: "Enter", keyCode: 13, nativeEvent: { isComposing: false } }, false],
])("knows whether a key belongs to an input method: %o", (event, its) => {
  expect(composing(event)).toBe(its);
});

it.each([
  ["<p></p>", {}, true],
  ["<input>", {}, false],
  ["<textarea></textarea>", {}, false],
  ['<div contenteditable="true"></div>', {}, false],
  ["<p></p>", { ctrlKey: true }, false],
  ['<div role="dialog"></div>', {}, false],
])("a key in %s with %o is for the page: %s", (html, pressed, its) => {
  document.body.innerHTML = html;
  const heard: boolean[] = [];
  const listener = (event: KeyboardEvent) => heard.push(forPage(event));
  window.addEventListener("keydown", listener);
  fireEvent.keyDown(document.body.firstElementChild ?? document.body, { key: "?", ...pressed });
  window.removeEventListener("keydown", listener);
  expect(heard).toEqual([its]);
});
