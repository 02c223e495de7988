// Makes one attempt: a POST that follows no redirect and uses only the status of the response. A
// failure is described by the stage it occurred in, which is more useful than the many error codes.

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { WebhookOutcome } from '../outcomes.ts';
import { readRetryAfterMs } from '../schedule.ts';
import type { AddressOptions } from './address.ts';
import { AddressRefused, allowedAddresses, type Resolve } from './resolve-host.ts';
import { readWebhookUrl } from './url.ts';

type WebhookRequest = {
  readonly url: string;
  /** The headers of the standard (webhook-id, webhook-timestamp and webhook-signature), and X-Request-Id if it is known. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Attempted = {
  readonly outcome: WebhookOutcome;
  readonly status?: number;
  /** The time until the status or the failure. */
  readonly latencyMs: number;
  /** Our description, without any content of the response. */
  readonly reason: string;
  readonly retryAfterMs?: number | undefined;
};

export type SenderOptions = AddressOptions & {
  readonly resolve: Resolve;
  readonly timing: SendTiming;
  /** Additional certificate authorities. */
  readonly ca?: string;
};

export type SendTiming = {
  /** The limit for DNS, TCP and TLS together. */
  readonly connectTimeoutMs: number;
  /** The limit until the status of the response. */
  readonly answerTimeoutMs: number;
  /** The limit for reading the rest of the response, so that the connection can be reused. */
  readonly drainTimeoutMs: number;
};

export type Sender = {
  /** Never throws. An aborted request ends as INTERRUPTED. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<Attempted>;
  close(): void;
};

/** The standard's advice: long enough for a slow receiver, short enough not to be blocked by it. */
export const SEND_TIMING: SendTiming = {
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 20_000,
  drainTimeoutMs: 1_000,
};
const USER_AGENT = 'engagement-service-webhooks/1.0';
/** The response body is not used. A longer one costs the connection. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Shorter than the keep-alive of most servers, so that they rarely close a connection in use. */
const IDLE_TIMEOUT_MS = 4_000;
const IDLE_CONNECTIONS_MAX = 64;
/**
 * The limit per address before the next one is tried. Node's 250 ms are too short for distant
 * hosts.
 */
const ADDRESS_TIMEOUT_MS = 1_500;

export function createSender(options: SenderOptions): Sender {
  const reaching = { autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS };
  const shared = {
    ...reaching,
    keepAlive: true,
    timeout: IDLE_TIMEOUT_MS,
    maxFreeSockets: IDLE_CONNECTIONS_MAX,
  };
  const secured = { rejectUnauthorized: true, ...(options.ca !== undefined && { ca: options.ca }) };
  const agents = {
    'http:': new http.Agent(shared),
    'https:': new https.Agent({ ...shared, ...secured }),
  };
  /** For a second try after a reused connection turned out to be closed. */
  const freshAgents = {
    'http:': new http.Agent(reaching),
    'https:': new https.Agent({ ...reaching, ...secured }),
  };
  return {
    async send(request, signal) {
      const startedAtMs = performance.now();
      const read = readWebhookUrl(request.url, options);
      if (!read.isOk) return { outcome: 'ADDRESS_REFUSED', latencyMs: 0, reason: read.fault };
      const { protocol, hostname, port, path, host } = read.target;
      const settings: RequestOptions = {
        method: 'POST',
        hostname,
        port,
        path,
        lookup: checkedLookup(port, options),
        headers: {
          ...request.headers,
          host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(request.body),
          'user-agent': USER_AGENT,
          'accept-encoding': 'identity',
        },
      };
      const begin = (agent: http.Agent) =>
        (protocol === 'https:' ? https : http).request({ ...settings, agent });
      const job = { body: request.body, startedAtMs, timing: options.timing, signal };
      const first = await attempt(begin(agents[protocol]), job);
      // The receiver closed an idle connection, which is not a failure of the receiver.
      return first === 'STALE' ? attemptFresh(begin(freshAgents[protocol]), job) : first;
    },
    close() {
      for (const agent of [...Object.values(agents), ...Object.values(freshAgents)])
        agent.destroy();
    },
  };
}

/** Replaces the system lookup: resolves and checks the addresses that are then connected to. */
function checkedLookup(port: number, { resolve, ...options }: SenderOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    allowedAddresses({ hostname, port }, resolve, options).then(
      addresses => {
        const found = addresses.map(address => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }));
        if (all === true) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

type AttemptJob = {
  readonly body: string;
  readonly startedAtMs: number;
  readonly timing: SendTiming;
  readonly signal: AbortSignal;
};

async function attemptFresh(request: ClientRequest, job: AttemptJob): Promise<Attempted> {
  const attempted = await attempt(request, job);
  if (attempted === 'STALE') throw new Error('a new connection cannot be stale');
  return attempted;
}

function attempt(request: ClientRequest, job: AttemptJob): Promise<Attempted | 'STALE'> {
  const { body, startedAtMs, timing, signal } = job;
  return new Promise(resolve => {
    let stage: Stage = 'CONNECT';
    let answered: Attempted | undefined;
    const end = (attempted: Attempted | 'STALE') => {
      clearTimeout(answerTimer);
      clearTimeout(stageTimer);
      signal.removeEventListener('abort', abort);
      resolve(attempted);
      request.destroy();
    };
    const fail = (outcome: WebhookOutcome, reason: string) =>
      end(answered ?? { outcome, reason, latencyMs: elapsedMs(startedAtMs) });
    const abort = () =>
      fail('INTERRUPTED', 'the sending process stopped before a response arrived');
    const answerTimer = setTimeout(() => {
      fail('TIMED_OUT', `no response within ${timing.answerTimeoutMs / 1000} s`);
    }, timing.answerTimeoutMs);
    let stageTimer: NodeJS.Timeout | undefined;
    request.on('socket', socket => {
      if (!socket.connecting) {
        stage = 'ANSWER';
        return;
      }
      stageTimer = setTimeout(() => {
        fail('TIMED_OUT', `no connection within ${timing.connectTimeoutMs / 1000} s`);
      }, timing.connectTimeoutMs);
      followStages(socket, reached => {
        stage = reached;
        if (stage === 'ANSWER') clearTimeout(stageTimer);
      });
    });
    request.on('response', answer => {
      clearTimeout(answerTimer);
      answered = judge(answer, startedAtMs);
      const judged = answered;
      stageTimer = setTimeout(() => end(judged), timing.drainTimeoutMs);
      // A receiver that responds early may never read the rest of the request, so the connection is
      // only reused if the request was sent completely.
      drain(answer, isWhole =>
        isWhole && request.writableFinished ? finish(judged) : end(judged),
      );
    });
    /** Like `end`, but keeps the connection for reuse. */
    const finish = (attempted: Attempted) => {
      clearTimeout(stageTimer);
      signal.removeEventListener('abort', abort);
      resolve(attempted);
    };
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (answered === undefined && request.reusedSocket && STALE.has(error.code ?? ''))
        return end('STALE');
      const [outcome, reason] = faultOf(error, stage);
      fail(outcome, reason);
    });
    // 'close' without an error follows if the receiver switches protocols.
    request.on('close', () => {
      if (answered === undefined) fail('CONNECTION_FAILED', ENDED);
    });
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else request.end(body);
  });
}

type Stage = 'CONNECT' | 'TLS' | 'ANSWER';

const ENDED = 'the connection closed before a response arrived';
const STALE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

function followStages(socket: Socket, onStage: (stage: Stage) => void): void {
  const isSecured = 'encrypted' in socket;
  socket.once('connect', () => onStage(isSecured ? 'TLS' : 'ANSWER'));
  if (isSecured) socket.once('secureConnect', () => onStage('ANSWER'));
}

function faultOf(error: NodeJS.ErrnoException, stage: Stage): readonly [WebhookOutcome, string] {
  if (error instanceof AddressRefused) return ['ADDRESS_REFUSED', error.message];
  const code = error.code ?? error.name;
  if (stage === 'TLS') return ['TLS_FAILED', `TLS handshake failed: ${code}`];
  if (stage === 'CONNECT') return ['CONNECTION_FAILED', `connection failed: ${code}`];
  return ['CONNECTION_FAILED', `${ENDED}: ${code}`];
}

function judge(
  { statusCode: status = 0, headers }: IncomingMessage,
  startedAtMs: number,
): Attempted {
  const isDelivered = status >= 200 && status < 300;
  const retryAfterMs = isDelivered
    ? undefined
    : readRetryAfterMs(headers['retry-after'], Date.now());
  return {
    outcome: outcomeOf(status),
    status,
    latencyMs: elapsedMs(startedAtMs),
    reason: `HTTP ${status}`,
    retryAfterMs,
  };
}

function outcomeOf(status: number): WebhookOutcome {
  if (status >= 200 && status < 300) return 'DELIVERED';
  if (status >= 300 && status < 400) return 'REDIRECTED';
  return status === 410 ? 'GONE' : 'REFUSED';
}

/** Discards the body. `isWhole` is false if it exceeds the limit or is truncated. */
function drain(answer: IncomingMessage, onEnd: (isWhole: boolean) => void): void {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) onEnd(false);
  });
  answer.on('end', () => onEnd(true));
  answer.on('error', () => onEnd(false));
}

function elapsedMs(startedAtMs: number): number {
  return Math.round(performance.now() - startedAtMs);
}
