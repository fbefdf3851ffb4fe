/** Shows how far away a date is. */
export { DaysLeft } from "./DaysLeft";
