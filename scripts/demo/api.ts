/** One call of the API with a key; gives the answer's body. Throws with the problem's words when it is refused. */
export async function callApi<T>(
  origin: string,
  apiKey: string,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  });
  const answer = (await response.json()) as T & { title?: string; detail?: string };
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${answer.title}. ${answer.detail}`);
  return answer;
}
