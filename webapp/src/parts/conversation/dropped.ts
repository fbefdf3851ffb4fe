/** What a link to a page takes along for it: files that were dropped where nothing takes any. */
export const withFiles = (files: File[]) => ({ files });

/** The files that came along to a page; none where there are none. */
export function filesIn(state: unknown): File[] {
  const files: unknown = typeof state === "object" && state !== null ? Reflect.get(state, "files") : undefined;
  return Array.isArray(files) ? files.filter((file): file is File => file instanceof File) : [];
}
