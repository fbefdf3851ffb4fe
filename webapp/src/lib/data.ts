const endings = [".json", ".xlsx", ".xlsm", ".csv", ".zip", ".xls", ".xlsb"];

/** What a field for files of figures takes; those that are refused in the end get a sentence that helps. */
export const dataTypes = endings.join(",");

/** Whether a file is one of figures, from the portal or an accounting program: by its name, since media types vary. */
export const isData = (file: File) => endings.some((ending) => file.name.toLowerCase().endsWith(ending));
