/** The brief: the facts of a notice, what follows from them, and a person's corrections. */
export { Brief } from "./Brief";
export { ChoicesPage } from "./ChoicesPage";
export { readFacts, sumOf, type Facts } from "./facts";
export { readReckoning } from "./reckoning";
export { useBrief } from "./useBrief";
