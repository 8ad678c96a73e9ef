// Shapes of the server's answers, made from its OpenAPI schema (api/schema.ts; `make types` writes it anew).
// Amounts are chips, shares are 0 to 1.
import type { components } from "../../api/schema";

export type Schemas = components["schemas"];
export type Player = "oop" | "ip";
export const PLAYERS: readonly [Player, Player] = ["oop", "ip"];

export type Spot = Schemas["SolveFile"];
export type StreetMenu = Schemas["StreetBets"];
export type SolveSettings = Schemas["SolveSettings"];
export type Lock = Schemas["Lock"];

export type Solve = Schemas["Solve"];
export type Look = Schemas["Look"];
export type JobBeat = Schemas["JobBeat"];
export type JobEnd = Schemas["JobEnd"];
export type Preview = Schemas["Preview"];
export type NodeHead = Schemas["NodeShown"];
export type Step = Schemas["Step"];
export type RunoutRow = Schemas["RunoutRow"];
export type Runouts = Schemas["Runouts"];
export type Batch = Schemas["BatchShown"];
export type BatchRow = Schemas["BatchRow"];
export type BatchReport = Schemas["BatchReport"];
export type ReportAction = Schemas["ReportAction"];
export type Preset = Schemas["PresetShown"];
export type ParsedRange = Schemas["RangeShown"];
export type Categories = Schemas["CategoriesShown"];
export type Guide = Schemas["Guide"];
