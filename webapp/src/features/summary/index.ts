/** Document Summarizer: upload a PDF, and get a summary next to its pages. */
export { SummariesPage } from "./SummariesPage";
export { SummaryPage } from "./SummaryPage";
