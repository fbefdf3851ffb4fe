/** The brief: what the program is sure of about a notice, what follows from it, and what a person says of it. */
export { Brief } from "./Brief";
export { ChoicesPage } from "./ChoicesPage";
export { readFacts, sumOf, type Facts } from "./facts";
export { readReckoning } from "./reckoning";
export { useBrief } from "./useBrief";
