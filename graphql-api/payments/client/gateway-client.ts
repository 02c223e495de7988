// The HTTP client of the payment gateway: one request in, a response or a fault out. It contains no
// payment logic. It retries requests that are safe to repeat: reads, and requests with an
// idempotency key.

import { setTimeout as wait } from 'node:timers/promises';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import { LRUCache } from 'lru-cache';
import {
  type ExactJson,
  readExact,
  type WritableJson,
  writeExact,
} from '../../../schema/values/exact-json.ts';
import { type CallName, createCallLimits, type Environment } from './call-limits.ts';
import { faultOfAnswer, faultOfError, type GatewayFault } from './gateway-fault.ts';

export type GatewayAccount = {
  /** The nil UUID for the platform's account, otherwise the workspace's ID. */
  readonly accountId: string;
  readonly environment: Environment;
  readonly clientId: string;
  readonly clientSecret: string;
};

export type GatewayRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Consists of our minted IDs and the gateway's own IDs; each segment is escaped. */
  readonly path: readonly string[];
  readonly call: CallName;
  readonly body?: WritableJson;
  /** The gateway performs requests with the same key only once. */
  readonly idempotencyKey?: string;
};

export type GatewayAnswer =
  | { readonly isOk: true; readonly body: ExactJson; readonly requestId: string }
  | { readonly isOk: false; readonly fault: GatewayFault };

export type GatewayClient = {
  /** Never throws because of the gateway or the network. */
  call(account: GatewayAccount, request: GatewayRequest): Promise<GatewayAnswer>;
};

type GatewayClientOptions = {
  /** Overrides the gateway's URLs of both environments. */
  readonly baseUrl: string | undefined;
  /** The timeout of one attempt, including its whole response. */
  readonly attemptTimeoutMs: number;
  readonly newId: () => string;
  /** Called after each attempt with its outcome and duration. */
  readonly onAttempt?: (call: CallName, outcome: string, seconds: number) => void;
};

const BASE_URLS: Readonly<Record<Environment, string>> = {
  SANDBOX: 'https://sandbox.cashfree.com/pg',
  PRODUCTION: 'https://api.cashfree.com/pg',
};
const API_VERSION = '2025-01-01';
/** With the waits between attempts, this stays below the 30 s timeout of a request. */
const ATTEMPTS_MAX = 3;
const RETRY_AFTER_MS = 200;
/** Return the fault instead of waiting longer than this. */
const WAIT_MAX_MS = 2_000;
/** The largest responses are lists of payments of some KB each. */
const ANSWER_BYTES_MAX = 1_000_000;
/** Consecutive failures after which the circuit breaker of an account opens. */
const FAILED_IN_A_ROW = 6;
const ASK_AGAIN_AFTER_MS = 5_000;
/** One breaker per recently used account. An evicted breaker starts closed again. */
const BREAKERS_MAX = 1_000;

export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const limits = createCallLimits(() => performance.now());
  const breakerOf = createBreakers();
  return {
    async call(account, request) {
      const isRepeatable = request.method === 'GET' || request.idempotencyKey !== undefined;
      const requestId = options.newId();
      let mayBeDone = false;
      for (let attempt = 1; ; attempt++) {
        const answer = await attemptOnce(options, { account, request, requestId }, () => {
          const waitMs = limits.take(account.accountId, account.environment, request.call);
          return waitMs === 0 ? breakerOf(account) : waitMs;
        });
        if (answer.isOk) return answer;
        mayBeDone ||= answer.fault.kind === 'UNKNOWN';
        const isLast = !isRepeatable || attempt === ATTEMPTS_MAX;
        const waitMs = isLast ? undefined : retryAfterMs(answer.fault, attempt);
        if (waitMs === undefined) return { isOk: false, fault: { ...answer.fault, mayBeDone } };
        await wait(waitMs);
      }
    },
  };
}

/** Undefined if a retry would get the same response or would take too long. */
function retryAfterMs(fault: GatewayFault, attempt: number): number | undefined {
  if (fault.kind === 'REFUSED' || fault.kind === 'DENIED' || fault.code === 'broken_circuit')
    return undefined;
  const backoffMs = RETRY_AFTER_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
  const saidMs = (fault.retryAfterSeconds ?? 0) * 1000;
  return saidMs > WAIT_MAX_MS ? undefined : Math.max(saidMs, backoffMs);
}

type Asked = {
  readonly account: GatewayAccount;
  readonly request: GatewayRequest;
  readonly requestId: string;
};

async function attemptOnce(
  options: GatewayClientOptions,
  asked: Asked,
  enter: () => number | CircuitBreakerPolicy,
): Promise<GatewayAnswer> {
  const { request, requestId } = asked;
  const beganAt = performance.now();
  const entered = enter();
  const answer =
    typeof entered === 'number'
      ? limited(entered, requestId)
      : await throughBreaker(entered, () => ask(options, asked), requestId);
  const outcome = answer.isOk ? 'OK' : answer.fault.kind;
  options.onAttempt?.(request.call, outcome, (performance.now() - beganAt) / 1000);
  return answer;
}

function limited(waitMs: number, requestId: string): GatewayAnswer {
  const message = 'The account has reached its rate limit for this kind of call. Try again later.';
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  return {
    isOk: false,
    fault: { kind: 'BUSY', code: 'own_limit', message, requestId, retryAfterSeconds },
  };
}

async function throughBreaker(
  breaker: CircuitBreakerPolicy,
  work: () => Promise<GatewayAnswer>,
  requestId: string,
): Promise<GatewayAnswer> {
  try {
    return await breaker.execute(work);
  } catch (error) {
    if (!(error instanceof BrokenCircuitError)) throw error;
    const message = 'The gateway has not responded recently. Calls resume in a few seconds.';
    const retryAfterSeconds = Math.ceil(ASK_AGAIN_AFTER_MS / 1000);
    const code = 'broken_circuit';
    return { isOk: false, fault: { kind: 'AWAY', code, message, requestId, retryAfterSeconds } };
  }
}

async function ask(options: GatewayClientOptions, asked: Asked): Promise<GatewayAnswer> {
  const { account, request, requestId } = asked;
  const path = request.path.map(encodeURIComponent).join('/');
  const address = `${options.baseUrl ?? BASE_URLS[account.environment]}/${path}`;
  try {
    const response = await fetch(address, {
      method: request.method,
      headers: headersOf(asked),
      ...(request.body !== undefined && { body: writeExact(request.body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(options.attemptTimeoutMs),
    });
    const text = await boundedText(response);
    // A successful DELETE may have an empty body. Any other empty body is a fault.
    const body = text === '' && request.method === 'DELETE' ? {} : readExact(text);
    if (response.ok && body !== undefined)
      return { isOk: true, body, requestId: response.headers.get('x-request-id') ?? requestId };
    return { isOk: false, fault: faultOfAnswer(response, body, requestId) };
  } catch (error) {
    return { isOk: false, fault: faultOfError(error as Error, requestId) };
  }
}

function headersOf({ account, request, requestId }: Asked): Record<string, string> {
  return {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-api-version': API_VERSION,
    'x-client-id': account.clientId,
    'x-client-secret': account.clientSecret,
    'x-request-id': requestId,
    ...(request.idempotencyKey !== undefined && { 'x-idempotency-key': request.idempotencyKey }),
  };
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error("the gateway's response is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** One breaker per account, so that the faults of one merchant do not block the others. */
function createBreakers(): (account: GatewayAccount) => CircuitBreakerPolicy {
  const breakers = new LRUCache<string, CircuitBreakerPolicy>({
    max: BREAKERS_MAX,
    memoMethod: createBreaker,
  });
  return ({ accountId, environment }) => breakers.memo(`${accountId} ${environment}`);
}

function createBreaker(): CircuitBreakerPolicy {
  const isFailed = (result: unknown) => {
    const answer = result as GatewayAnswer;
    return !answer.isOk && (answer.fault.kind === 'UNKNOWN' || answer.fault.kind === 'AWAY');
  };
  return circuitBreaker(handleWhenResult(isFailed), {
    halfOpenAfter: ASK_AGAIN_AFTER_MS,
    breaker: new ConsecutiveBreaker(FAILED_IN_A_ROW),
  });
}
