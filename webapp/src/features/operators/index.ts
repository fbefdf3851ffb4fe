/** For those who operate the product: how they come in, and how its prompts and runs stand. */
export { EnterPage } from "./EnterPage";
export { OperatorsPage } from "./OperatorsPage";
