const browsers: [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/**
 * Returns a browser and its system in words, such as "Firefox, Windows", from its user agent; null if that names
 * neither.
 */
export function deviceName(agent: string): string | null {
  const known = [browsers, systems].flatMap((list) => list.find(([mark]) => mark.test(agent))?.[1] ?? []);
  return known.length === 0 ? null : known.join(", ");
}
