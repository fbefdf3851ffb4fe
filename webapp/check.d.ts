export function read(folder: string): Map<string, string>;
export function circles(files: Map<string, string>, root: string): string[][];
export function keysOf(texts: object, prefix?: string): string[];
export function unused(keys: string[], source: string): string[];
