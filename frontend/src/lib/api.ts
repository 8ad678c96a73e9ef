// Talking to the server: JSON, binary nodes, events. A refusal becomes an ApiError that says where it belongs.
export class ApiError extends Error {
  constructor(
    message: string,
    readonly where: string | null,
    readonly status: number,
  ) {
    super(message);
  }
}

async function refuse(answer: Response): Promise<never> {
  let text = `the server answered ${answer.status} ${answer.statusText}`;
  let where: string | null = null;
  try {
    const body = await answer.json();
    text = body.error ?? text;
    where = body.where ?? null;
  } catch {
    // not JSON: the status has to do
  }
  throw new ApiError(text, where, answer.status);
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("the server does not answer; is “overbet serve” still running?", null, 0);
  }
  return answer.ok ? answer : refuse(answer);
}

/** Whether an error means that the server is not there at all. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, { signal })).json();
}
export async function send<T>(method: string, path: string, body: unknown = {}): Promise<T> {
  const answer = await ask(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.status === 204 ? (undefined as T) : answer.json();
}
export const post = <T>(path: string, body: unknown = {}): Promise<T> => send<T>("POST", path, body);

export async function upload<T>(path: string, file: Blob, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await ask(path, { method: "POST", headers, body: file, signal });
  return answer.status === 204 ? (undefined as T) : answer.json();
}

/** An "OVB1" answer: a JSON header and float32 arrays by name. */
export interface Binary<H> {
  head: H;
  arrays: Record<string, Float32Array>;
}
interface ArrayPlace {
  name: string;
  shape: number[];
  offset: number;
}
export function decode<H>(buffer: ArrayBuffer): Binary<H> {
  const bytes = new Uint8Array(buffer, 0, 8);
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "OVB1")
    throw new ApiError("the server sent an answer this page cannot read; reload it", null, 0);
  const length = new DataView(buffer).getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))) as H & {
    arrays: ArrayPlace[];
  };
  const arrays: Record<string, Float32Array> = {};
  for (const { name, shape, offset } of head.arrays) {
    const size = shape.reduce((product, side) => product * side, 1);
    arrays[name] = new Float32Array(buffer, 8 + length + 4 * offset, size);
  }
  return { head, arrays };
}
export async function getBinary<H>(path: string, signal?: AbortSignal): Promise<Binary<H>> {
  return decode<H>(await (await ask(path, { signal })).arrayBuffer());
}
export async function postBinary<H>(path: string, body: unknown, signal?: AbortSignal): Promise<Binary<H>> {
  const headers = { "Content-Type": "application/json" };
  const answer = await ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
  return decode<H>(await answer.arrayBuffer());
}

/**
 * Follow server-sent events, `Events` by their names; returns how to stop. The stream is closed for good after
 * `end`. lost: it will not come back; broken: it broke off and the browser tries again by itself.
 */
export function follow<Events extends object>(
  path: string,
  on: { [Name in keyof Events]: (data: Events[Name]) => void },
  lost?: () => void,
  broken?: () => void,
): () => void {
  const source = new EventSource(path);
  for (const name in on) {
    source.addEventListener(name, (event: MessageEvent<string>) => on[name](JSON.parse(event.data)));
  }
  source.addEventListener("end", () => source.close());
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) lost?.();
    else broken?.();
  };
  return () => source.close();
}

export const query = (values: Record<string, string | number | undefined>): string => {
  const kept = Object.entries(values).filter(([, value]) => value !== undefined && value !== "") as [
    string,
    string | number,
  ][];
  return new URLSearchParams(kept.map(([key, value]) => [key, String(value)])).toString();
};
