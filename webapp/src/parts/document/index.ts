/** A document next to a conversation: its pages, opened at a place with the words marked. */
export { DocumentPane } from "./DocumentPane";
export { EvidenceCrop } from "./EvidenceCrop";
export {
  EvidenceLink,
  EvidenceOf,
  evidenceUrl,
  useEvidence,
  useOpenEvidence,
  WithEvidence,
  type Evidence,
} from "./evidence";
