/** A firm's matters, and the documents that nobody has looked at yet. */
export { MatterPage } from "./MatterPage";
export { MattersPage } from "./MattersPage";
export { TriagePage } from "./TriagePage";
