// The load generator, a separate process with little overhead: raw persistent sockets, prepared
// requests, one request at a time on each connection. Controlled by `load.ts`.

import { connect, type Socket } from 'node:net';
import { createLatencies } from './latencies.ts';
import { makeRequests, type Requests, type RequestsOptions } from './requests.ts';

export type LoadOptions = Omit<RequestsOptions, 'host'> & {
  /** The servers, which have the same number of connections each. */
  readonly ports: readonly number[];
  /** Idle connections, in addition to those with requests. */
  readonly idleConnections: number;
};

export type LoadRun = {
  readonly seconds: number;
  /** Requests per second; undefined for the maximum rate. */
  readonly rate?: number;
};

export type LoadReport = {
  /** The number of events in requests with a 200 response. */
  readonly acknowledged: number;
  readonly requests: number;
  readonly failed: number;
  readonly firstFailure: string | undefined;
  /** Failed requests with a 503 that says when to come back. */
  readonly unavailable: number;
  /** The beginnings of the message IDs of failed requests, which may be stored all the same. */
  readonly failedIds: readonly string[];
  /** The longest time without a 200. */
  readonly longestGapMs: number;
  /** The longest time from sending a request to its response, whatever that is. */
  readonly longestAnswerMs: number;
  /** From the first request to the last response. */
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The CPU time of this process. */
  readonly cpuSeconds: number;
};

export type ToGenerator =
  | { readonly kind: 'prepare'; readonly options: LoadOptions }
  | { readonly kind: 'run'; readonly run: LoadRun };

export type FromGenerator =
  | { readonly kind: 'prepared'; readonly eventBytes: number; readonly bodyBytes: number }
  | { readonly kind: 'done'; readonly report: LoadReport };

const HOST = '127.0.0.1';
/** Responses are short; longer ones arrive in pieces. */
const READ_BYTES = 16 * 1024;
const TICK_MS = 1;
/** Otherwise it would send requests to an exited server for the rest of the measurement. */
const FAILURES_MAX = 1_000;

type Connection = {
  readonly number: number;
  readonly socket: Socket;
  /** The received part of the current response. */
  pending: string;
  /** The time at which the current request was due. */
  dueAtMs: number;
  sentAtMs: number;
};

/** One run over connections that stay open from run to run. */
class Drive {
  private readonly latencies = createLatencies();
  private readonly startedMs = performance.now();
  private readonly endsMs: number;
  private readonly intervalMs: number | undefined;
  private readonly idle: Connection[];
  private readonly all: readonly Connection[];
  private readonly eventsPerBatch: number;
  private readonly requests: Requests;
  private readonly cpu = process.cpuUsage();
  private readonly onDone: (report: LoadReport) => void;
  private started = 0;
  private failed = 0;
  private firstFailure: string | undefined;
  private unavailable = 0;
  private readonly failedIds: string[] = [];
  private lastSuccessMs = this.startedMs;
  private longestGapMs = 0;
  private longestAnswerMs = 0;
  private isOut = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    connections: readonly Connection[],
    requests: Requests,
    eventsPerBatch: number,
    { seconds, rate }: LoadRun,
    onDone: (report: LoadReport) => void,
  ) {
    this.all = connections;
    this.idle = Array.from(connections);
    this.requests = requests;
    this.eventsPerBatch = eventsPerBatch;
    this.endsMs = this.startedMs + seconds * 1000;
    this.intervalMs = rate === undefined ? undefined : 1000 / rate;
    this.onDone = onDone;
    if (rate !== undefined) this.timer = setInterval(() => this.fill(), TICK_MS);
    this.fill();
  }

  /** Sends due requests on idle connections in turn, because a server closes idle connections. */
  fill(): void {
    while (this.idle[0] !== undefined && this.start(this.idle[0])) this.idle.shift();
    if (this.idle.length === this.all.length && (this.isOut || this.dueAtMs() >= this.endsMs))
      this.end();
  }

  answered(connection: Connection, failure: string | undefined): void {
    const nowMs = performance.now();
    this.longestAnswerMs = Math.max(this.longestAnswerMs, nowMs - connection.sentAtMs);
    if (failure === undefined) {
      this.latencies.add(nowMs - connection.dueAtMs);
      this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.lastSuccessMs);
      this.lastSuccessMs = nowMs;
      this.release(connection);
      return;
    }
    this.failed++;
    this.firstFailure ??= failure;
    this.failedIds.push(...this.requests.lastIds(connection.number));
    if (this.failed - this.unavailable > FAILURES_MAX) this.isOut = true;
    if (!failure.startsWith('HTTP/1.1 503') || !RETRY_AFTER.test(failure)) {
      this.release(connection);
      return;
    }
    this.unavailable++;
    setTimeout(() => this.release(connection), REFUSED_PAUSE_MS);
  }

  private release(connection: Connection): void {
    this.idle.push(connection);
    this.fill();
  }

  private start(connection: Connection): boolean {
    const dueAtMs = this.dueAtMs();
    if (this.isOut || dueAtMs >= this.endsMs || dueAtMs > performance.now()) return false;
    const request = this.requests.next(connection.number);
    if (request === undefined) {
      this.isOut = true;
      return false;
    }
    this.started++;
    connection.dueAtMs = dueAtMs;
    connection.sentAtMs = performance.now();
    connection.socket.write(request);
    return true;
  }

  /** With a rate, the latency of a request includes its wait for a free connection. */
  private dueAtMs(): number {
    if (this.intervalMs === undefined) return performance.now();
    return this.startedMs + this.started * this.intervalMs;
  }

  private end(): void {
    clearInterval(this.timer);
    const endedMs = performance.now();
    const { user, system } = process.cpuUsage(this.cpu);
    const [p50Ms, p99Ms, maxMs] = this.latencies.quantiles([0.5, 0.99, 1]);
    const { failed, firstFailure, unavailable, failedIds, longestGapMs, longestAnswerMs } = this;
    this.onDone({
      acknowledged: this.latencies.count() * this.eventsPerBatch,
      requests: this.started,
      failed,
      firstFailure,
      unavailable,
      failedIds,
      longestGapMs: Math.max(longestGapMs, endedMs - this.lastSuccessMs),
      longestAnswerMs,
      seconds: (endedMs - this.startedMs) / 1000,
      p50Ms: p50Ms!,
      p99Ms: p99Ms!,
      maxMs: maxMs!,
      cpuSeconds: (user + system) / 1e6,
    });
  }
}

const connections: Connection[] = [];
let drive: Drive | undefined;
let requests: Requests | undefined;
let options: LoadOptions | undefined;

process.on('message', (message: ToGenerator) => {
  if (message.kind === 'prepare') void prepare(message.options);
  else void run(message.run);
});
process.on('disconnect', () => process.exit(0));

async function prepare(given: LoadOptions): Promise<void> {
  options = given;
  requests = await makeRequests({ ...given, host: `${HOST}:${given.ports[0]}` });
  await Promise.all(Array.from({ length: given.connections }, (_, number) => open(number)));
  for (let number = 0; number < given.idleConnections; number++) await openIdle(number);
  const { eventBytes, bodyBytes } = requests;
  tell({ kind: 'prepared', eventBytes, bodyBytes });
}

async function run(asked: LoadRun): Promise<void> {
  // Servers close connections that are idle between two runs.
  const ended = connections.filter(({ socket }) => socket.destroyed);
  await Promise.all(ended.map(({ number }) => open(number)));
  drive = new Drive(connections, requests!, options!.eventsPerBatch, asked, report => {
    drive = undefined;
    tell({ kind: 'done', report });
  });
}

/** If a connection is lost during the load, this process exits, and the measurement fails. */
function open(number: number): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({
      host: HOST,
      port: portOf(number),
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (bytes, buffer) => {
          take(connection, Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
          return true;
        },
      },
    });
    const connection: Connection = { number, socket, pending: '', dueAtMs: 0, sentAtMs: 0 };
    connections[number] = connection;
    socket.once('connect', resolve);
    socket.once('close', () => {
      if (drive === undefined) return;
      process.stderr.write(`a connection was closed: ${connection.pending}\n`);
      process.exit(1);
    });
    socket.on('error', error => process.stderr.write(`the load's socket: ${error.message}\n`));
  });
}

/** A server closes idle connections; they are reopened, as clients do. */
function openIdle(number: number): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ host: HOST, port: portOf(number) });
    socket.once('connect', resolve);
    socket.once('close', () => void openIdle(number));
    socket.on('error', error => process.stderr.write(`an idle socket: ${error.message}\n`));
  });
}

function portOf(number: number): number {
  const { ports } = options!;
  return ports[number % ports.length]!;
}

function take(connection: Connection, bytes: Buffer): void {
  const answer = connection.pending + bytes.toString('latin1');
  const headEnd = answer.indexOf('\r\n\r\n');
  const length = headEnd < 0 ? undefined : CONTENT_LENGTH.exec(answer)?.[1];
  if (headEnd < 0 || answer.length < headEnd + 4 + Number(length ?? 0)) {
    connection.pending = answer;
    return;
  }
  connection.pending = '';
  drive?.answered(connection, answer.startsWith('HTTP/1.1 200') ? undefined : answer);
}

const CONTENT_LENGTH = /content-length: *(\d+)/i;
const RETRY_AFTER = /retry-after: *\d+/i;
/** Shorter than Retry-After: the connection is then used as by another client, which was not refused. */
const REFUSED_PAUSE_MS = 250;

function tell(message: FromGenerator): void {
  process.send?.(message);
}
