// Shapes of the server's answers (see /api/openapi.json). Amounts are chips, shares are 0 to 1.
export type Player = "oop" | "ip";

export interface Menu {
  bet: string;
  raise: string;
  donk?: string | null;
}
export interface StreetMenu extends Partial<Menu> {
  oop?: Menu | null;
  ip?: Menu | null;
}
export interface Lock {
  line: string;
  frequencies?: Record<string, number> | null;
  hands?: Record<string, Record<string, number>> | null;
}
export interface SolveSettings {
  target: number;
  iterations: number;
  seconds?: number | null;
  threads?: number;
  device?: string;
  precision?: string;
}
export interface Spot {
  board: string;
  pot: number;
  stacks: number | [number, number];
  big_blind?: number;
  ranges: { oop: string; ip: string };
  bets: Record<string, StreetMenu | null | undefined>;
  thresholds?: { add_all_in: number; force_all_in: number; merge: number };
  rake?: { share: number; cap: number };
  min_bet?: number;
  solve?: Partial<SolveSettings>;
  locks?: Lock[];
}

export interface Solve {
  id: string;
  name: string;
  board: string;
  created: string;
  status: "queued" | "running" | "saving" | "done" | "stopped" | "failed";
  error: string | null;
  queue_place: number | null;
  spot: Spot;
  locks: Lock[];
  parent: string | null;
  target: number;
  iterations: number;
  exploitability: number | null;
  seconds: number | null;
  ev_chips: { oop: number; ip: number } | null;
  file_bytes: number | null;
  resumable: boolean;
  openable: boolean;
  example: boolean;
  history?: [number, number, number][];
}
export interface Look {
  iteration: number;
  exploitability: number;
  seconds: number;
  iterations_per_second: number;
  seconds_left: number | null;
}

export interface Preview {
  board: string;
  streets: {
    street: string;
    betting_nodes: number;
    boards: number;
    nodes: number;
    decisions: number;
    action_hands: number;
  }[];
  nodes: number;
  decisions: number;
  action_hands: number;
  bytes: { float32: number; int16: number };
  free_bytes: number | null;
  limit_bytes: number;
  fits: boolean;
  reason: string | null;
  seconds_per_iteration: number;
  hands: { oop: number; ip: number };
  root: { token: string; label: string; chips: number; pot_share: number }[];
  spr: number;
}

export interface Action {
  token: string;
  label: string;
  chips: number;
  pot_share: number;
  line: string;
  frequency: number | null;
  combos: number | null;
  ev_chips: number | null;
}
export interface Step {
  line: string;
  kind: string;
  player: Player | null;
  street: string;
  pot_chips: number;
  options: { token: string; label: string }[];
  chosen: string;
}
export interface SeatTotals {
  ev_chips: number | null;
  equity: number | null;
  realisation: number | null;
  combos: number;
  played: boolean;
  ev_share_of_pot: number | null;
}
export interface NodeHead {
  line: string;
  board: string;
  street: string;
  kind: "oop" | "ip" | "card" | "fold" | "showdown";
  player: Player | null;
  pot_chips: number;
  starting_pot_chips: number;
  to_call_chips: number;
  behind_chips: [number, number];
  big_blind: number;
  spr: number;
  pot_odds: number | null;
  exploitability: number;
  note: string;
  actions: Action[];
  cards: number[];
  steps: Step[];
  players: Record<Player, SeatTotals>;
  locks: Lock[];
}

export interface RunoutRow {
  card: string;
  number: number;
  like: string;
  probability: number;
  pot_chips: number;
  acts: Player | null;
  oop: SeatTotals;
  ip: SeatTotals;
  frequencies: Record<string, number>;
}
export interface Runouts {
  line: string;
  then: string;
  street: string;
  rows: RunoutRow[];
  labels: string[];
}

export interface BatchRow {
  board: string;
  weight: number;
  probability: number;
  pot_chips: number;
  oop: SeatTotals;
  ip: SeatTotals;
  lines: Record<string, { played: boolean; frequencies: Record<string, number> }>;
  exploitability: number;
  iterations: number;
  seconds: number;
}
export interface Batch {
  id: string;
  name: string;
  created: string;
  status: string;
  error: string | null;
  flops: string;
  boards: number;
  done: number;
  current: string | null;
  lines: string[];
  spot: Spot;
  seconds_left: number | null;
  rows?: BatchRow[];
  averages?: any;
}

export interface Preset {
  name: string;
  group: string;
  text: string;
  combos: number;
}
export interface ParsedRange {
  text: string;
  plain: string;
  combos: number;
  share: number;
  weights: number[];
  classes: number[];
}
export interface Categories {
  board: string;
  made: { key: string; label: string }[];
  draws: { key: string; label: string }[];
  made_of: number[];
  draws_of: number[];
}
export interface Guide {
  solve: string | null;
  line: string;
  lines: string[];
  examples: { name: string; title: string; spot: Spot }[];
}
