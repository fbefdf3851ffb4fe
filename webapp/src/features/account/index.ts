export { AccountDesk } from "./AccountDesk";
export { useShow } from "./desk";
export { useMe, useSignOut } from "./useMe";
