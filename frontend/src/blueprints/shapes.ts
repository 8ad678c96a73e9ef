// Answers about blueprints.
export interface BlueprintCard {
  id: string;
  name: string;
  origin: string;
  players: number | null;
  stack_bb: number[] | number | null;
  big_blind: number | null;
  positions: string[];
  manifest: Record<string, unknown>;
  error: string | null;
}
export interface BlueprintAction {
  amount: number;
  token: string;
  label: string;
  line: string | null;
  ends: "decision" | "card" | "over";
  frequency: number | null;
}
export interface BlueprintStep {
  line: string;
  kind?: string;
  player?: number | null;
  position?: string | null;
  street: string;
  options: { token: string; label: string }[];
  chosen: string;
  pot_chips?: number;
}
export interface BlueprintNode {
  line: string;
  board: string;
  street: string;
  player: number | null;
  position: string | null;
  pot_chips: number;
  to_call_chips: number;
  stacks_chips: number[];
  big_blind: number;
  actions: BlueprintAction[];
  steps: BlueprintStep[];
  buckets: number;
  reached: number | null;
  needs_board: number;
}
