// The form as the browser keeps it, so that a reload or another visit finds what was typed.
const KEY = "overbet-form";

/** What was kept of the fields of `base`, each only where it is of the kind it has there. */
export function keptForm<Form extends object>(base: Form): Form {
  try {
    return merged(base, JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return base; // a damaged entry or no storage: the defaults
  }
}

export function keepForm(form: object): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(form));
  } catch {
    // private windows may refuse storage; the form then lasts as long as the page
  }
}

function merged<Value>(base: Value, kept: unknown): Value {
  if (typeof base !== "object" || base === null) return typeof kept === typeof base ? (kept as Value) : base;
  const given = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  const found = Object.entries(base).map(([key, value]) => [key, merged(value as unknown, given[key])]);
  return Object.fromEntries(found) as Value;
}
