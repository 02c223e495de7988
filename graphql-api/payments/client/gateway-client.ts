// The way to the payment gateway. Nothing here decides what is paid: one request in, its answer or
// fault out. What may be repeated without harm is repeated: reads, and what carries a key under which
// the gateway does it once.

import { setTimeout as wait } from 'node:timers/promises';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhenResult,
} from 'cockatiel';
import {
  type ExactJson,
  readExact,
  type WritableJson,
  writeExact,
} from '../../platform/exact-json.ts';
import { type CallName, createCallLimits, type Environment } from './call-limits.ts';
import { faultOfAnswer, faultOfError, type GatewayFault } from './gateway-fault.ts';

export type GatewayAccount = {
  /** The nil UUID for the platform's own, else the workspace's id. */
  readonly accountId: string;
  readonly environment: Environment;
  readonly clientId: string;
  readonly clientSecret: string;
};

export type GatewayRequest = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** From our minted ids and the gateway's own; each part is escaped. */
  readonly path: readonly string[];
  readonly call: CallName;
  readonly body?: WritableJson;
  /** With it, the gateway does it once. */
  readonly idempotencyKey?: string;
};

export type GatewayAnswer =
  | { readonly isOk: true; readonly body: ExactJson; readonly requestId: string }
  | { readonly isOk: false; readonly fault: GatewayFault };

export type GatewayClient = {
  /** Never throws for what the gateway or the network does. */
  call(account: GatewayAccount, request: GatewayRequest): Promise<GatewayAnswer>;
};

export type GatewayClientOptions = {
  /** Instead of both of the gateway's own addresses. */
  readonly baseUrl: string | undefined;
  /** For one attempt, its whole answer included. */
  readonly attemptTimeoutMs: number;
  readonly newId: () => string;
  /** Told of every attempt, with what became of it and the seconds it took. */
  readonly onAttempt?: (call: CallName, outcome: string, seconds: number) => void;
};

const BASE_URLS: Readonly<Record<Environment, string>> = {
  SANDBOX: 'https://sandbox.cashfree.com/pg',
  PRODUCTION: 'https://api.cashfree.com/pg',
};
const API_VERSION = '2025-01-01';
/** The first and two more: together with the waits between them below the 30 s of a request. */
const ATTEMPTS_MAX = 3;
const RETRY_AFTER_MS = 200;
/** Who is told to come back later than this is sent away, rather than kept waiting. */
const WAIT_MAX_MS = 2_000;
/** Its largest answers are lists of payments, some KB each. */
const ANSWER_BYTES_MAX = 1_000_000;
/** So many in a row without a proper answer, and an account's next calls end at once. */
const FAILED_IN_A_ROW = 6;
const ASK_AGAIN_AFTER_MS = 5_000;
/** One per account that called lately; who is forgotten begins with a closed one. */
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

/** Undefined: a repeat would get the same answer, or not in time. */
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
  const message = 'The account makes as many calls of this kind as it may; try again later.';
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
    const message = 'The gateway has not answered lately; it is asked again in a few seconds.';
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
    // Who deletes may have nothing to say; of anything else an empty answer says nothing.
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
    if (bytes > ANSWER_BYTES_MAX) throw new Error('an answer of the gateway is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Per account: the trouble of one merchant is nobody else's. */
function createBreakers(): (account: GatewayAccount) => CircuitBreakerPolicy {
  const breakers = new Map<string, CircuitBreakerPolicy>();
  return ({ accountId, environment }) => {
    const key = `${accountId} ${environment}`;
    const breaker = breakers.get(key) ?? createBreaker();
    breakers.delete(key);
    breakers.set(key, breaker);
    if (breakers.size > BREAKERS_MAX) breakers.delete(breakers.keys().next().value!);
    return breaker;
  };
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
