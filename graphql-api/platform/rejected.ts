import {
  PROBLEMS,
  type ProblemCode,
  STATUS_STRINGS,
  statusOf,
} from '../../schema/values/problem.ts';

/** Why a request is rejected. Safe to return to the caller. */
export type Rejection = {
  readonly code: ProblemCode;
  readonly message: string;
  /** The path of the invalid input field, including list positions. */
  readonly field?: readonly string[];
  /** Returned next to `detail` in REST, and in `extensions` in GraphQL. */
  readonly facts?: Readonly<Record<string, unknown>>;
};

/** Rolls back the action's transaction and is returned to the caller. Any other error is a defect. */
export class Rejected extends Error {
  readonly rejections: readonly Rejection[];

  constructor(rejections: readonly [Rejection, ...Rejection[]]) {
    super(rejections.map(({ code }) => code).join(', '));
    this.name = 'Rejected';
    this.rejections = rejections;
  }
}

/** The message defaults to the title of the code. */
export function rejection(
  code: ProblemCode,
  details: Partial<Omit<Rejection, 'code'>> = {},
): Rejection {
  return { message: PROBLEMS[code].title, ...details, code };
}

export function reject(code: ProblemCode, details: Partial<Omit<Rejection, 'code'>> = {}): never {
  throw new Rejected([rejection(code, details)]);
}

/** `field` is the input with the ID; omitted if the ID is part of a path. */
export function notFound(noun: string, field?: string): never {
  const message = `No ${noun} exists with this ID.`;
  return reject('NOT_FOUND', { message, ...(field !== undefined && { field: [field] }) });
}

/** The Retry-After while Postgres is unavailable. A restart or failover usually takes seconds. */
const UNAVAILABLE_SECONDS = 5;

/** Why a request failed while Postgres or the token issuer is unavailable. */
export function unavailable(): Rejection {
  return rejection('UNAVAILABLE', { facts: { retryAfterSeconds: UNAVAILABLE_SECONDS } });
}

/** Returns `{"detail": …}` with the status and the facts of the first rejection, and the messages of
 * all rejections with its code. */
export function refusalAnswer(rejections: readonly [Rejection, ...Rejection[]]): Response {
  const [first] = rejections;
  const status = statusOf(first.code);
  const headers = new Headers({ 'content-type': 'application/json' });
  const retryAfter = first.facts?.retryAfterSeconds;
  if (typeof retryAfter === 'number') headers.set('retry-after', String(retryAfter));
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  const { retryAfterSeconds: _inHeader, ...facts } = first.facts ?? {};
  const messages = rejections.filter(({ code }) => code === first.code).map(one => one.message);
  const detail = STATUS_STRINGS.has(first.code) ? first.code : messages.join(' ');
  return new Response(JSON.stringify({ detail, ...facts }), { status, headers });
}
