// Answers about blueprints, made from the server's schema.
import type { Schemas } from "../lib/shapes";

export type Blueprint = Schemas["BlueprintShown"];
export type BlueprintAction = Schemas["BlueprintAction"];
export type BlueprintNode = Schemas["BlueprintNode"];
