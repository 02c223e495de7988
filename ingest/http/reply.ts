import { type Problem, statusOf } from '../../schema/values/problem.ts';

/** The response of an endpoint. Only server.ts sends it. */
export type Reply = {
  readonly status: number;
  readonly body: string | Uint8Array;
  readonly contentType: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The connection cannot be used for another request. */
  readonly closes?: boolean;
};

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonReply(status: number, body: unknown, headers: Reply['headers'] = []): Reply {
  return jsonTextReply(status, JSON.stringify(body), headers);
}

export function jsonTextReply(status: number, body: string, headers: Reply['headers']): Reply {
  return { status, body, contentType: JSON_TYPE, headers };
}

/** `{"detail", "code"}` and additional members, with the problem's status and headers. */
export function problemReply(
  problem: Problem,
  beside: Readonly<Record<string, unknown>> = {},
  headers: Reply['headers'] = [],
): Reply {
  const { code, message, retryAfterSeconds } = problem;
  const body = { detail: message, code, ...beside };
  const all: (readonly [string, string])[] = [...headers];
  if (retryAfterSeconds !== undefined) {
    all.push(['Retry-After', String(retryAfterSeconds)]);
    if (code === 'RATE_LIMITED') all.push(['X-Service-Rate-Reset', String(retryAfterSeconds)]);
  }
  return jsonReply(statusOf(code), body, all);
}
