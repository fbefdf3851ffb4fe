/** A document beside a conversation: its pages, opened at a place with the words marked. */
export { EvidenceLink, evidenceUrl, useEvidence, useOpenEvidence, WithEvidence, type Evidence } from "./evidence";
