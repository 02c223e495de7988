// The environment of a scenario: the server, the client's process, and the findings.

import { setTimeout as wait } from 'node:timers/promises';
import { type ClientProcess, type ClientSettings, startClient } from './client-process.ts';
import { batchAttempts, type Call, type Line, type Recording, storedMarks } from './record.ts';
import type { RuleId } from './rules.ts';
import type { Server } from './server.ts';
import type { Service, Workspace } from './service.ts';

export type Problem = {
  readonly rule: RuleId;
  readonly expected: string;
  readonly found: string;
};

/** Ends a scenario early, because later checks would only report the same problem again. */
export class Unmet extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.found);
    this.problem = problem;
  }
}

export type StageOptions = {
  readonly server: Server;
  readonly service: Service;
  readonly workspace: Workspace;
  readonly client: ClientSettings;
  readonly arrival: RuleId;
  readonly timeLimitMs: number;
  /** When it is aborted, the scenario ends immediately, without a result. */
  readonly signal: AbortSignal;
};

/** The person of all calls. */
export const USER_ID = 'kit-user';
/** The longest pause of a client that follows the rules, after a failure without Retry-After. */
export const QUIET_MS = 3_000;
const POLL_MS = 40;
/** The time from the end of the client's process until ingest has received its last request. */
const ARRIVAL_MAX_MS = 3_000;
/** The maximum time in which a client must exit after close. */
const CLOSE_MAX_MS = 15_000;

export class Stage {
  readonly server: Server;
  readonly service: Service;
  readonly workspace: Workspace;
  readonly record: Recording;
  readonly problems: Problem[] = [];
  readonly arrival: RuleId;
  readonly #settings: ClientSettings;
  readonly #endsAtMs: number;
  readonly #timeLimitMs: number;
  readonly #signal: AbortSignal;
  #client!: ClientProcess;
  /** Waits for requests that were in transit when the client's process ended. */
  #goneAtMs = Number.POSITIVE_INFINITY;
  #marks = 0;

  constructor(options: StageOptions) {
    const { server, service, workspace, client, arrival, timeLimitMs } = options;
    this.server = server;
    this.service = service;
    this.workspace = workspace;
    this.arrival = arrival;
    this.record = { calls: [], attempts: server.attempts };
    this.#settings = client;
    this.#timeLimitMs = timeLimitMs;
    this.#endsAtMs = Date.now() + timeLimitMs;
    this.#signal = options.signal;
    this.start();
  }

  get output(): readonly string[] {
    return this.#client.output;
  }

  get isRunning(): boolean {
    return this.#client.isRunning();
  }

  /** Sends a line that creates no event. */
  say(line: Line): void {
    this.#client.write(line);
  }

  flush(): void {
    this.say({ call: 'flush' });
  }

  /** Requests a call that creates one event, with the mark by which it is recognized. */
  call(kind: EventCall, values: Values = {}, fate: Call['fate'] = 'stored'): Call {
    const mark = `kit-${++this.#marks}`;
    const call = { mark, line: markedLine(kind, mark, values), atMs: Date.now(), fate };
    this.record.calls.push(call);
    this.#client.write(call.line);
    return call;
  }

  track(count: number, fate: Call['fate'] = 'stored'): readonly Call[] {
    return Array.from({ length: count }, () => this.call('track', {}, fate));
  }

  /** Resolves once `isSo` returns true. At the time limit, the scenario ends with this problem. */
  async until(isSo: () => boolean, problem: () => Problem): Promise<void> {
    while (!isSo()) {
      this.#signal.throwIfAborted();
      if (Date.now() > this.#goneAtMs) throw new Unmet(because(problem(), await this.#exit()));
      if (Date.now() > this.#endsAtMs) throw new Unmet(because(problem(), this.#over()));
      await wait(POLL_MS);
    }
  }

  /** Waits until ingest has accepted the events of all calls that must be stored. */
  untilStored(): Promise<void> {
    const missing = () => {
      const stored = storedMarks(this.record);
      return this.record.calls.filter(({ fate, mark }) => fate === 'stored' && !stored.has(mark));
    };
    return this.until(
      () => missing().length === 0,
      () => ({
        rule: this.arrival,
        expected: `the events of ${this.record.calls.length} calls`,
        found: `the events of ${missing().length} of these calls did not arrive, for example ${JSON.stringify(missing()[0]?.line).slice(0, 200)}`,
      }),
    );
  }

  untilAttempts(count: number): Promise<void> {
    const attempts = () => batchAttempts(this.record).length;
    return this.until(
      () => attempts() >= count,
      () => ({
        rule: this.arrival,
        expected: `at least ${count} requests to /v1/batch`,
        found: `${attempts()}`,
      }),
    );
  }

  pause(durationMs: number): Promise<void> {
    return wait(durationMs, undefined, { signal: this.#signal });
  }

  expect(rule: RuleId, isSo: boolean, expected: string, found: string): void {
    if (!isSo) this.problems.push({ rule, expected, found });
  }

  /** Closes the client, and waits until its process has ended. */
  async close(): Promise<void> {
    this.say({ call: 'close' });
    this.#client.end();
    const late = wait(CLOSE_MAX_MS, undefined, { signal: this.#signal, ref: false });
    const exit = await Promise.race([this.#client.exited, late]);
    if (exit === undefined)
      throw new Unmet({
        rule: 'close-ends',
        expected: `the process ends within ${CLOSE_MAX_MS / 1000} s of the close() call`,
        found: 'the process was still running',
      });
    const { code, signal } = exit;
    this.expect('close-ends', code === 0, 'exit code 0', `${signal ?? code}`);
  }

  kill(): Promise<void> {
    return this.#client.kill();
  }

  /** Starts a new process with the same settings and storage. */
  start(): void {
    const client = startClient(this.#settings);
    this.#client = client;
    this.#goneAtMs = Number.POSITIVE_INFINITY;
    void client.exited.then(() => {
      if (this.#client === client) this.#goneAtMs = Date.now() + ARRIVAL_MAX_MS;
    });
  }

  async #exit(): Promise<string> {
    const { code, signal } = await this.#client.exited;
    return `the process had ended with ${signal ?? code}`;
  }

  #over(): string {
    return `the time limit of ${this.#timeLimitMs / 1000} s was reached`;
  }
}

function because({ found, ...problem }: Problem, reason: string): Problem {
  return { ...problem, found: `${found}; ${reason}` };
}

export type EventCall = 'track' | 'identify' | 'page' | 'screen' | 'group' | 'alias';
type Values = Readonly<{ [name: string]: unknown }>;

function markedLine(kind: EventCall, mark: string, values: Values): Line {
  const userId = USER_ID;
  const {
    properties = {},
    traits = {},
    ...others
  } = values as {
    properties?: Values;
    traits?: Values;
  };
  switch (kind) {
    case 'track':
      return line({ event: 'Order Completed', properties: { ...properties, mark } });
    case 'page':
    case 'screen':
      return line({ name: 'Checkout', properties: { ...properties, mark } });
    case 'identify':
      return line({ traits: { ...traits, mark } });
    case 'group':
      return line({ groupId: 'kit-group', traits: { ...traits, mark } });
    case 'alias':
      return line({ previousId: mark });
  }

  function line(fields: Values): Line {
    return { call: kind, userId, ...fields, ...others };
  }
}
