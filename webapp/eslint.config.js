import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

// Imports go one way: src/app → src/features → src/parts → src/lib. A feature does not know another feature. Parts are
// what several features are made of; lib is what any web app would have.
const forbid = (...group) => ({
  "no-restricted-imports": [
    "error",
    { patterns: [{ group, message: "Imports go one way: src/app → src/features → src/parts → src/lib." }] },
  ],
});

export default tseslint.config(
  { ignores: ["dist", "src/lib/api/generated", "playwright-report", "test-results", "screenshots"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json", "./tsconfig.node.json"], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/consistent-type-imports": "error",
      // Prettier breaks code at 120 columns; this holds comments to it too.
      "max-len": [
        "error",
        { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true },
      ],
    },
  },
  {
    // Merging into a library's types needs an interface.
    files: ["src/lib/i18n.ts"],
    rules: { "@typescript-eslint/consistent-type-definitions": "off" },
  },
  {
    files: ["src/**/*.tsx"],
    extends: [reactHooks.configs.flat["recommended-latest"], jsxA11y.flatConfigs.strict],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "JSXText[value=/[\\p{L}]{2,}/u]", message: "Texts live in src/locales." },
        {
          selector: "JSXAttribute[name.name=/^(aria-label|title|placeholder|alt)$/] > Literal",
          message: "Texts live in src/locales.",
        },
      ],
    },
  },
  {
    files: ["src/lib/**"],
    rules: forbid("@/app/*", "@/features/*", "@/parts/*", "**/app/*", "**/features/*", "**/parts/*"),
  },
  { files: ["src/parts/**"], rules: forbid("@/app/*", "@/features/*", "**/app/*", "**/features/*") },
  { files: ["src/features/**"], rules: forbid("@/app/*", "@/features/*", "../*", "**/app/*") },
  { files: ["src/**/*.test.{ts,tsx}"], rules: { "no-restricted-syntax": "off" } },
);
