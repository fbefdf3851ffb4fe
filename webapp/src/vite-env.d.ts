/** The folder, from the app's root, of what pdf.js fetches by name: see vite.config.ts. */
declare const __PDF_PARTS__: string;
