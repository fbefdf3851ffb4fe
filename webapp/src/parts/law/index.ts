/** The provisions of the law, shown next to what cites them. */
export { addressOf, numberName, pageOf, type Address } from "./address";
export { Basis, ForNotice, LawBeside, ProvisionLink } from "./beside";
export { HowToImport, Provision, ProvisionFailed, ProvisionLoading, saidIn } from "./Provision";
export { daysOfNotice, type NoticeDays } from "./notice";
export { stretchesOf } from "./onDay";
export { shortOf, useTitles } from "./title";
export { useProvision } from "./useProvision";
