/** Document Summarizer: a PDF goes in, and its summary stands beside its pages. */
export { SummariesPage } from "./SummariesPage";
export { SummaryPage } from "./SummaryPage";
