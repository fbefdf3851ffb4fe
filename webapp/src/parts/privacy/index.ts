/** The texts that inform people about their data, wherever they are about to send some. */
export { ConsentNotice } from "./ConsentNotice";
export { DataUse, DataUseBelow } from "./DataUse";
export { useFirstUse } from "./useFirstUse";
