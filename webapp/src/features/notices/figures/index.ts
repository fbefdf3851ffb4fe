export { FiguresView } from "./FiguresView";
