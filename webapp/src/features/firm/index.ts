export { FirmPage } from "./FirmPage";
export { FoundPage } from "./FoundPage";
export { JoinPage } from "./JoinPage";
