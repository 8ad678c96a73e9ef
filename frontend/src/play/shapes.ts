// Answers about play and drill.
export interface Seat {
  seat: number;
  name: string;
  position: string;
  stack_chips: number;
  bet_chips: number;
  folded: boolean;
  all_in: boolean;
  cards: string[] | null;
}
export interface Legal {
  fold: boolean;
  call_chips: number;
  check: boolean;
  raise_min: number | null;
  raise_max: number | null;
  presets: { label: string; to_chips: number }[];
}
export interface LogEntry {
  street: string;
  seat: number | null;
  text: string;
  action?: number | null;
}
export interface Hand {
  number: number;
  button: number;
  hero: number;
  street: string;
  board: string[];
  pot_chips: number;
  seats: Seat[];
  to_act: number | null;
  hero_acts: boolean;
  legal: Legal | null;
  log: LogEntry[];
  over: boolean;
  won_chips: number[] | null;
}
export interface Result {
  hands: number;
  raw_mbb_per_hand: number | null;
  raw_interval: [number, number] | null;
  aivat_mbb_per_hand: number | null;
  aivat_interval: [number, number] | null;
  confidence: number;
  note: string | null;
}
export interface Table {
  id: string;
  kind: "heads-up" | "expresso";
  opponent: string;
  opponent_name?: string;
  finished?: boolean;
  note?: string | null;
  big_blind: number;
  small_blind: number;
  hand: Hand | null;
  result: Result;
}
export interface Opponent {
  id: string;
  name: string;
  kind: string;
  tables: string[];
  note: string | null;
}
export interface ReviewStep {
  street: string;
  board: string[];
  log_index: number | null;
  action: number;
  strategy: { label: string; action: number; share: number; ev_bb: number | null }[];
  ev_loss_bb: number | null;
  grade: string | null;
  note: string | null;
}
export interface Review {
  hand: Hand;
  phh: string;
  review: ReviewStep[];
}

export interface Question {
  question: string;
  source: string;
  line: string;
  board: string;
  hand: string;
  position?: string;
  player?: string;
  pot_chips: number;
  to_call_chips: number;
  big_blind: number;
  steps: {
    line: string;
    kind?: string;
    player?: string | null;
    position?: string | null;
    street: string;
    chosen: string;
    options: { token: string; label: string }[];
  }[];
  actions: { token: string; label: string }[];
}
export interface Score {
  answered: number;
  by_grade: Record<string, number>;
  mean_loss_percent_of_pot: number | null;
  within_solver_error: number;
}
export interface Answer {
  grade: string;
  within_solver_error: boolean;
  loss_chips: number;
  loss_percent_of_pot: number;
  best: string;
  actions: { token: string; label: string; frequency: number; ev_chips: number | null }[];
  accuracy_percent_of_pot: number;
  score: Score;
  link: { solve?: string; blueprint?: string; line: string } | null;
}
export const GRADES = ["best", "correct", "inaccuracy", "mistake", "blunder"];
export interface PastHand {
  number: number;
  hole: string[] | null;
  board: string[];
  won_chips: number;
  loss_bb: number | null;
}
