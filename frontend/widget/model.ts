// What Python sends (src/overbet/interfaces/notebook/grid.py) and the part of anywidget's model that is used.

/** One player's hands, by class: null where there is no number. */
export interface GridSeat {
  weight: number[];
  ev: (number | null)[];
  equity: (number | null)[];
  realisation: (number | null)[];
  /** By action, then class; null where the other player acts. */
  mix: (number | null)[][] | null;
  combos: number;
  mean_ev: number | null;
  mean_equity: number | null;
}

export interface GridAction {
  label: string;
  token: string;
  frequency: number;
}

export interface GridData {
  title: string;
  note: string;
  unit: string;
  actions: GridAction[];
  /** `oop` and `ip` at a node, `range` for a bare range. */
  seats: Record<string, GridSeat>;
}

export interface WidgetState {
  data: GridData;
  player: string;
  view: string;
  palette: string;
  chosen: string;
}

export interface WidgetModel {
  get<Key extends keyof WidgetState>(name: Key): WidgetState[Key];
  set<Key extends keyof WidgetState>(name: Key, value: WidgetState[Key]): void;
  on(event: string, call: () => void): void;
  off(event: string, call: () => void): void;
  save_changes(): void;
}
