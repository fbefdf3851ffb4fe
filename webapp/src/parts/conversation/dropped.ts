/** The state with which a link passes dropped files to another page. */
export const withFiles = (files: File[]) => ({ files });

/** Returns the files passed to a page; an empty list if there are none. */
export function filesIn(state: unknown): File[] {
  const files: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "files") : undefined;
  return Array.isArray(files) ? files.filter((file): file is File => file instanceof File) : [];
}
