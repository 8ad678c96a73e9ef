// Deep links in the hash: #/study/<spot>/<line>?show=ev. Everything one looks at can be sent as a link.
import { query as queryText } from "./api";

export interface Route {
  parts: string[];
  query: Record<string, string>;
}

function read(): Route {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decode);
  return { parts, query: Object.fromEntries(new URLSearchParams(query)) };
}
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts after the view's name; empty once the reader has left for another view. */
export const within = (view: string): string[] =>
  route.now.parts[0] === view || (view === "study" && !route.now.parts.length)
    ? route.now.parts.slice(1)
    : [];
export const isAt = (view: string): boolean => (route.now.parts[0] ?? "study") === view;

export const route = $state<{ now: Route }>({ now: read() });
addEventListener("hashchange", () => (route.now = read()));

export function link(parts: string[], query: Record<string, string | undefined> = {}): string {
  const path = parts.map((part) => encodeURIComponent(part).replaceAll("%3A", ":")).join("/");
  const tail = queryText(query);
  return `#/${path}${tail ? `?${tail}` : ""}`;
}

/** Go somewhere; `replace` leaves no entry in the history (changes of view, not of place). */
export function go(address: string, replace = false): void {
  if (location.hash === address) return;
  if (replace) {
    history.replaceState(null, "", address);
    route.now = read();
  } else location.hash = address;
}
