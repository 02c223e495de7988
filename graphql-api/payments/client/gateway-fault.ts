// The reasons why a call to the gateway failed. The most important distinction is whether the call
// may have taken effect.

import { type ExactJson, field, textField } from '../../../schema/values/exact-json.ts';
import { wasNotReached } from '../../platform/connection-error.ts';

export type GatewayFault = {
  /**
   * REFUSED: the gateway rejected the request. DENIED: the gateway rejected our credentials. BUSY:
   * a rate limit was exceeded, ours or the gateway's. AWAY: the gateway was not reached. None of
   * these took effect. UNKNOWN: the call may have taken effect.
   */
  readonly kind: 'REFUSED' | 'DENIED' | 'BUSY' | 'AWAY' | 'UNKNOWN';
  /** The HTTP status; undefined if there was no response. */
  readonly status?: number;
  /**
   * The gateway's code, otherwise one of ours: `timed_out`, `not_reached`, `not_json` and others.
   */
  readonly code: string;
  readonly type?: string;
  /** The gateway's message, truncated to a sentence or two. */
  readonly message: string;
  /** The gateway's request ID, otherwise the one that we sent. */
  readonly requestId: string;
  readonly retryAfterSeconds?: number;
  /** Whether this attempt or an earlier one may have taken effect. */
  readonly mayBeDone?: boolean;
};

const MESSAGE_CHARACTERS_MAX = 300;
const CODE_CHARACTERS_MAX = 100;
const TOO_MANY_REQUESTS = 429;

/** The fault of a response with an error status. */
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
    message: (textField(body, 'message') ?? `The gateway responded with status ${status}.`).slice(
      0,
      MESSAGE_CHARACTERS_MAX,
    ),
    requestId: response.headers.get('x-request-id') ?? requestId,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}

/**
 * The fault of a call without a response. Only a connection that was never established is certain
 * to have had no effect.
 */
export function faultOfError(error: Error, requestId: string): GatewayFault {
  if (error.name === 'TimeoutError') {
    const message = 'The gateway did not respond in time.';
    return { kind: 'UNKNOWN', code: 'timed_out', message, requestId };
  }
  if (wasNotReached(error)) {
    const message = 'The gateway could not be reached.';
    return { kind: 'AWAY', code: 'not_reached', message, requestId };
  }
  const message = 'The connection to the gateway was lost.';
  return { kind: 'UNKNOWN', code: 'connection_lost', message, requestId };
}

/** The object already exists, or the key was used with another body. Look the object up. */
export function isConflict({ kind, status, code, type }: GatewayFault): boolean {
  if (kind !== 'REFUSED') return false;
  if (status === 409 || type === 'idempotency_error') return true;
  return /already_exists|already_present|idempotency_key/.test(code);
}

function kindOf(status: number, body: ExactJson | undefined): GatewayFault['kind'] {
  if (status === TOO_MANY_REQUESTS) return 'BUSY';
  // A proxy's error page does not reveal whether the gateway received the request.
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
