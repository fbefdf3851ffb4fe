/** A firm's board and matters, and the documents that nobody has checked yet. */
export { BoardPage } from "./BoardPage";
export { ClientPage } from "./ClientPage";
export { ClientsPage } from "./ClientsPage";
export { ImportPage } from "./ImportPage";
export { MatterPage } from "./MatterPage";
export { MattersPage } from "./MattersPage";
export { SearchPage } from "./SearchPage";
export { TriagePage } from "./TriagePage";
export { WorkloadPage } from "./WorkloadPage";
