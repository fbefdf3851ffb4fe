const endings = [".json", ".xlsx", ".xlsm", ".csv", ".zip", ".xls", ".xlsb"];

/** The extensions accepted for files of figures, including some that the server refuses with a helpful sentence. */
export const dataTypes = endings.join(",");

/** Reports whether a file is a file of figures, judged by its name, since media types vary. */
export const isData = (file: File) => endings.some((ending) => file.name.toLowerCase().endsWith(ending));
