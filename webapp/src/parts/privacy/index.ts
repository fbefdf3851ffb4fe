/** What people are told of their data, wherever they are about to give some. */
export { ConsentNotice } from "./ConsentNotice";
export { DataUse, DataUseBelow } from "./DataUse";
export { useFirstUse } from "./useFirstUse";
