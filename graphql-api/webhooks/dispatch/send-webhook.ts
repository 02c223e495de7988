// One attempt: a POST that follows no redirect and reads no more of the answer than its status. What
// goes wrong is told by how far it had come, which says more than the many codes of errors.

import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { WebhookOutcome } from '../outcomes.ts';
import { readRetryAfterMs } from '../schedule.ts';
import type { AddressOptions } from './address.ts';
import { AddressRefused, allowedAddresses, type Resolve } from './resolve-host.ts';
import { readWebhookUrl } from './url.ts';

export type WebhookRequest = {
  readonly url: string;
  /** Of the standard: webhook-id, -timestamp and -signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Attempted = {
  readonly outcome: WebhookOutcome;
  readonly status?: number;
  /** To the status, or to what went wrong. */
  readonly latencyMs: number;
  /** In our words. */
  readonly reason: string;
  readonly retryAfterMs?: number | undefined;
};

export type SenderOptions = AddressOptions & {
  readonly resolve: Resolve;
  readonly timing: SendTiming;
  /** Authorities beside the usual ones. */
  readonly ca?: string;
};

export type SendTiming = {
  /** To look up the name, connect, and agree on a cipher. */
  readonly connectTimeoutMs: number;
  /** To the status of the answer. */
  readonly answerTimeoutMs: number;
  /** After the status, for the rest of the answer, so that the connection can be used again. */
  readonly drainTimeoutMs: number;
};

export type Sender = {
  /** Never throws. Aborted: INTERRUPTED. */
  send(request: WebhookRequest, signal: AbortSignal): Promise<Attempted>;
  close(): void;
};

/** As the standard advises: long enough for a slow receiver, too short to be held up by one. */
export const SEND_TIMING: SendTiming = {
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 20_000,
  drainTimeoutMs: 1_000,
};
const USER_AGENT = 'engagement-service-webhooks/1.0';
/** Nobody reads it; more than that costs a connection. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Shorter than most servers keep theirs, so that few are closed under a request. */
const IDLE_TIMEOUT_MS = 4_000;
const IDLE_CONNECTIONS_MAX = 64;
/** Of one address of several, before the next one is tried: Node's 250 ms don't reach half the world. */
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
  /** For the second try of what a connection that had just been closed was used for. */
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
      // Closed by the other side while nobody used it: that says nothing about the receiver.
      return first === 'STALE' ? attemptFresh(begin(freshAgents[protocol]), job) : first;
    },
    close() {
      for (const agent of [...Object.values(agents), ...Object.values(freshAgents)])
        agent.destroy();
    },
  };
}

/** In the place of the system's: addresses are looked up, looked at, and then connected to. */
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
    const abort = () => fail('INTERRUPTED', 'our process stopped before there was an answer');
    const answerTimer = setTimeout(() => {
      fail('TIMED_OUT', `no answer within ${timing.answerTimeoutMs / 1000} s`);
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
      // Who answers before all was sent may never read it, and the connection would wait for that.
      drain(answer, isWhole =>
        isWhole && request.writableFinished ? finish(judged) : end(judged),
      );
    });
    /** As `end`, with the connection left for the next one. */
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
    // Without an error, where the receiver would speak another protocol from then on.
    request.on('close', () => {
      if (answered === undefined) fail('CONNECTION_FAILED', ENDED);
    });
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else request.end(body);
  });
}

type Stage = 'CONNECT' | 'TLS' | 'ANSWER';

const ENDED = 'the connection ended before there was an answer';
const STALE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

function followStages(socket: Socket, onStage: (stage: Stage) => void): void {
  const isSecured = 'encrypted' in socket;
  socket.once('connect', () => onStage(isSecured ? 'TLS' : 'ANSWER'));
  if (isSecured) socket.once('secureConnect', () => onStage('ANSWER'));
}

function faultOf(error: NodeJS.ErrnoException, stage: Stage): readonly [WebhookOutcome, string] {
  if (error instanceof AddressRefused) return ['ADDRESS_REFUSED', error.message];
  const code = error.code ?? error.name;
  if (stage === 'TLS') return ['TLS_FAILED', `no secure connection: ${code}`];
  if (stage === 'CONNECT') return ['CONNECTION_FAILED', `no connection: ${code}`];
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

/** Reads and forgets; not whole where there is more of it than anybody wants, or it breaks off. */
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
