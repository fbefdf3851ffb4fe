export { AuthDialogs } from "./AuthDialogs";
export { useShowDialog } from "./dialogs";
export { useMe, useSignOut } from "./useMe";
