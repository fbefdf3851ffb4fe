/** The judgments and other authorities that a person supplied for a conversation. */
export { AuthoritiesButton, withAuthorities } from "./AuthoritiesButton";
export { useAuthorities } from "./useAuthorities";
