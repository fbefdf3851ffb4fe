/** The Model Training Dashboard: how the assistant does on examples with known answers. */
export { TrainingSection } from "./TrainingSection";
