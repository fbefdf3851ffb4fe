export { AnswerBox, isSaid, type Answer, type Asked } from "./AnswerBox";
