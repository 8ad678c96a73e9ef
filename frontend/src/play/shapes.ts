// Answers about play and drill, made from the server's schema.
import type { Schemas } from "../lib/shapes";

export type Seat = Schemas["SeatAtTable"];
export type Hand = Schemas["HandShown"];
export type Table = Schemas["TableShown"];
export type Opponent = Schemas["Opponent"];
export type PastHand = Schemas["HandShort"];
export type ReviewStep = Schemas["ReviewEntry"];
export type Review = Schemas["HandReview"];
export type Thought = Schemas["ThoughtShown"];
export type Thinking = Schemas["ThinkingShown"];

export type Question = Schemas["Question"];
export type Answer = Schemas["Verdict"];
export type Score = Schemas["Score"];
export type Mistake = Schemas["MistakeShown"];
/** What a drill is limited to; what is not named may be anything. */
export interface Limits {
  player?: string;
  pot?: string;
  facing?: string;
  street?: string;
}
export const GRADES: Answer["grade"][] = ["best", "correct", "inaccuracy", "mistake", "blunder", "unclear"];
