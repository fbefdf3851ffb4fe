/** The judgments and other authorities that a person relies on in a conversation. */
export { AuthoritiesButton, withAuthorities } from "./AuthoritiesButton";
export { useAuthorities } from "./useAuthorities";
