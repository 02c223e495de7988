// Why a call to the gateway gave no result, as data. What matters most is whether it may have taken
// effect all the same.

import { type ExactJson, field, textField } from '../../platform/exact-json.ts';

export type GatewayFault = {
  /**
   * REFUSED: it said no, and nothing happened. DENIED: it doesn't take our credentials. BUSY: too many
   * calls, ours or its; AWAY: it wasn't reached. With these three nothing happened either. UNKNOWN: it
   * may have happened.
   */
  readonly kind: 'REFUSED' | 'DENIED' | 'BUSY' | 'AWAY' | 'UNKNOWN';
  /** Undefined where there was no answer. */
  readonly status?: number;
  /** The gateway's own, else one of ours: `timed_out`, `not_reached`, `not_json`, …. */
  readonly code: string;
  readonly type?: string;
  /** The gateway's words, cut to a sentence or two. */
  readonly message: string;
  /** The gateway's id of the request, else the one that we sent. */
  readonly requestId: string;
  readonly retryAfterSeconds?: number;
  /** By this attempt or one before it, whatever this one says. */
  readonly mayBeDone?: boolean;
};

const MESSAGE_CHARACTERS_MAX = 300;
const CODE_CHARACTERS_MAX = 100;
const TOO_MANY_REQUESTS = 429;

/** Of an answer that is no success. */
export function faultOfAnswer(
  response: Response,
  body: ExactJson | undefined,
  requestId: string,
): GatewayFault {
  const { status } = response;
  const type = textField(body, 'type');
  const retryAfterSeconds = retryAfterOf(response.headers);
  return {
    kind: kindOf(status, body),
    status,
    code: (textField(body, 'code') ?? ownCodeOf(status, body)).slice(0, CODE_CHARACTERS_MAX),
    ...(type !== undefined && { type: type.slice(0, CODE_CHARACTERS_MAX) }),
    message: (textField(body, 'message') ?? `The gateway answered ${status}.`).slice(
      0,
      MESSAGE_CHARACTERS_MAX,
    ),
    requestId: response.headers.get('x-request-id') ?? requestId,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/** Of a call that had no answer. Only a connection that never stood is certain to have done nothing. */
export function faultOfError(error: Error, requestId: string): GatewayFault {
  if (error.name === 'TimeoutError') {
    const message = 'The gateway did not answer in time.';
    return { kind: 'UNKNOWN', code: 'timed_out', message, requestId };
  }
  const { code } = (error.cause ?? {}) as { readonly code?: string };
  const wasReached = !NOT_REACHED.has(code ?? '');
  return {
    kind: wasReached ? 'UNKNOWN' : 'AWAY',
    code: wasReached ? 'connection_lost' : 'not_reached',
    message: wasReached ? 'The connection to the gateway broke.' : 'The gateway was not reached.',
    requestId,
  };
}

/** The same thing is there already, or the same key was used with another body: look at it. */
export function isConflict({ kind, status, code, type }: GatewayFault): boolean {
  if (kind !== 'REFUSED') return false;
  if (status === 409 || type === 'idempotency_error') return true;
  return /already_exists|already_present|idempotency_key/.test(code);
}

const NOT_REACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function kindOf(status: number, body: ExactJson | undefined): GatewayFault['kind'] {
  if (status === TOO_MANY_REQUESTS) return 'BUSY';
  // A page of a proxy says nothing of what is behind it.
  const isItsOwn = field(body, 'message') !== undefined || field(body, 'code') !== undefined;
  if (status >= 500 || !isItsOwn) return 'UNKNOWN';
  return status === 401 || status === 403 ? 'DENIED' : 'REFUSED';
}

function ownCodeOf(status: number, body: ExactJson | undefined): string {
  return body === undefined ? 'not_json' : `http_${status}`;
}

function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('x-ratelimit-retry') ?? headers.get('retry-after') ?? 'none');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds) : undefined;
}
