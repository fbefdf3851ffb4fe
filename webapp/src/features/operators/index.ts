/** Pages for operators: how they sign in, and the state of prompts and turns. */
export { EnterPage } from "./EnterPage";
export { OperatorsPage } from "./OperatorsPage";
