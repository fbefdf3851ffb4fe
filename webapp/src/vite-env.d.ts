/** The folder, relative to the app's root, of files that pdf.js loads by name: see vite.config.ts. */
declare const __PDF_PARTS__: string;
