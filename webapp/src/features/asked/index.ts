export { AskedPage } from "./AskedPage";
