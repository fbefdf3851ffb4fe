/** The Model Training Dashboard: how the assistant does on examples whose answers are known. */
export { TrainingSection } from "./TrainingSection";
