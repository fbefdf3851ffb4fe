const types = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"];
const endings = /\.(jpe?g|png|webp|heic|heif)$/i;

/** The types accepted for documents: a PDF, or photographs of its pages. */
export const documentTypes = ["application/pdf", ".pdf", ...types, ".heic", ".heif"].join(",");

/** The types accepted for photographs only. */
export const photographTypes = [...types, ".heic", ".heif"].join(",");

/** Reports whether a file is a photograph of a page; not every browser knows the type of a HEIC file. */
export const isPhotograph = (file: File) => types.includes(file.type) || (file.type === "" && endings.test(file.name));
