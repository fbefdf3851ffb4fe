import { expect, test } from "vitest";
import { circles, keysOf, unused } from "../check.js";

test("modules that import one another are found, types aside", () => {
  const files = new Map([
    ["/src/a.ts", 'import { b } from "./b";\n'],
    ["/src/b.tsx", 'import {\n  c,\n} from "@/c";\n'],
    ["/src/c/index.ts", 'export { a } from "../a";\nimport type { b } from "../b";\n'],
    ["/src/d.ts", 'import type { e } from "./e";\n'],
    ["/src/e.ts", 'import { d } from "./d";\n'],
  ]);
  expect(circles(files, "/src")).toEqual([["/src/a.ts", "/src/b.tsx", "/src/c/index.ts", "/src/a.ts"]]);
});

test("texts that nothing shows are found, and those named by a template are not", () => {
  const keys = keysOf({
    title: "",
    view: { all: "", due: "" },
    found_one: "",
    found_other: "",
    old: "",
    signIn: { title: "" },
  });
  expect(keys).toEqual(["title", "view.all", "view.due", "found", "old", "signIn.title"]);
  expect(unused(keys, 't("title") t(`view.${one}`) t("list:found") t(`${mode}.title`)')).toEqual(["old"]);
});
