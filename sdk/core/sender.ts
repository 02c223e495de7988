// Sends the entries of a queue, one request at a time: when enough entries are waiting, when they have waited
// long enough, or on a flush. Sent entries stay in the queue until the response confirms that they are stored.

import { batchBody, cutBatch } from './cut-batch.ts';
import { type Decision, decide, FIRST_PACE, type Pace } from './decide.ts';
import type { Entry } from './entry.ts';
import type { Ids } from './ids.ts';
import { valuesOf } from './json.ts';
import {
  BACKOFF_FIRST_MS,
  BATCH_EVENTS_MAX,
  BODY_BYTES_MAX,
  ENTRY_AGE_MAX_MS,
  PAUSE_MAX_MS,
} from './limits.ts';
import type { OnProblem } from './problem.ts';
import type { Queue } from './queue.ts';
import type { Post } from './transport.ts';

export type SenderDeps = {
  readonly queue: Queue;
  readonly post: Post;
  readonly writeKey: string;
  readonly ids: Ids;
  readonly onProblem: OnProblem;
  /** Shared by all senders with this key on this device. */
  readonly pace: { read(): Pace | undefined; write(pace: Pace): void };
  /** Only one of these senders works at a time. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly batchSize: number;
  readonly flushAfterMs: number;
  /** Lets the process end while the timer is waiting. Browsers do not need this. */
  readonly unref?: (timer: unknown) => void;
};

/** What remains to do after a step: nothing, more immediately, or more after this many milliseconds. */
type Rest = 'nothing' | 'more' | number;

export class Sender {
  private readonly deps: SenderDeps;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private dueMs = Number.POSITIVE_INFINITY;
  private added = 0;
  private isRunning = false;
  private isAskedAgain = false;
  private isStopped = false;
  private waiting: (() => void)[] = [];

  constructor(deps: SenderDeps) {
    this.deps = deps;
  }

  add(entry: Entry): void {
    this.deps.queue.add(entry);
    this.added++;
    if (this.added >= this.deps.batchSize) this.run();
    else this.runAfter(this.deps.flushAfterMs);
  }

  /** Resolves when nothing is waiting, or when nothing more will be sent. */
  flush(): Promise<void> {
    const done = new Promise<void>(resolve => this.waiting.push(resolve));
    this.run();
    return done;
  }

  /** Stops sending, and resolves all pending flushes. */
  stop(): void {
    this.isStopped = true;
    this.run();
  }

  /** The network is available again. Ends a wait for the network, but not one that the service requested. */
  hurry(): void {
    const pace = this.pace();
    if (pace.isAway) this.deps.pace.write({ ...pace, failures: 0, untilMs: 0 });
    this.run();
  }

  isPaused(): boolean {
    return this.isStopped || this.pace().untilMs > this.deps.ids.nowMs();
  }

  private run(): void {
    clearTimeout(this.timer);
    this.dueMs = Number.POSITIVE_INFINITY;
    this.added = 0;
    this.isAskedAgain = true;
    if (!this.isRunning) void this.work();
  }

  private async work(): Promise<void> {
    this.isRunning = true;
    let rest: Rest;
    do {
      this.isAskedAgain = false;
      // A page that is closing may not get the lock.
      rest = await this.deps.exclusively(() => this.step()).catch(() => BACKOFF_FIRST_MS);
    } while (rest === 'more' || this.isAskedAgain);
    this.isRunning = false;
    if (rest !== 'nothing') this.runAfter(rest);
    else for (const resolve of this.waiting.splice(0)) resolve();
  }

  /** Keeps the earliest of the requested times. */
  private runAfter(ms: number): void {
    const dueMs = this.deps.ids.nowMs() + ms;
    if (dueMs >= this.dueMs) return;
    clearTimeout(this.timer);
    this.dueMs = dueMs;
    this.timer = setTimeout(() => this.run(), ms);
    if (this.waiting.length === 0) this.deps.unref?.(this.timer);
  }

  private async step(): Promise<Rest> {
    const { queue, post, ids, writeKey } = this.deps;
    if (this.isStopped) return 'nothing';
    const pace = this.pace();
    const nowMs = ids.nowMs();
    if (pace.untilMs > nowMs) return pace.untilMs - nowMs;
    const waiting = await queue.take(BATCH_EVENTS_MAX);
    const entries = await this.withoutExpired(waiting, nowMs);
    const [first] = entries;
    if (first === undefined) return waiting.length > 0 ? 'more' : 'nothing';
    const isBatch = first.path === '/v1/batch';
    const limits = { eventsMax: pace.eventsMax, bodyBytesMax: BODY_BYTES_MAX };
    const sent = isBatch ? cutBatch(entries, limits) : [first];
    const body = isBatch ? batchBody(sent, writeKey, nowMs) : first.text;
    const answer = await post({ path: first.path, body });
    const at = { nowMs: ids.nowMs(), random: ids.random() };
    const decision = decide(answer, sent.length, pace, at);
    this.deps.pace.write(decision.pace);
    await this.settle(sent, decision);
    if (decision.action === 'stop') return 'nothing';
    return decision.pace.untilMs > at.nowMs ? decision.pace.untilMs - at.nowMs : 'more';
  }

  /** Also called for the entries that were sent while the page was closing. */
  async settle(sent: readonly Entry[], { action, rejected, code, message }: Decision) {
    const { queue, onProblem } = this.deps;
    for (const { index, ...problem } of rejected) {
      const entry = sent[index];
      if (entry !== undefined) onProblem({ ...problem, lost: valuesOf([entry]) });
    }
    if (action === 'stop' && !this.isStopped) {
      this.isStopped = true;
      onProblem({ code, message, lost: [] });
    }
    if (action === 'drop') onProblem({ code, message, lost: valuesOf(sent) });
    if (action === 'drop' || action === 'remove') await queue.remove(sent.map(({ key }) => key));
  }

  private async withoutExpired(entries: readonly Entry[], nowMs: number) {
    const expired = entries.filter(({ atMs }) => nowMs - atMs > ENTRY_AGE_MAX_MS);
    if (expired.length === 0) return entries;
    const message = 'It could not be sent for 30 days.';
    this.deps.onProblem({ code: 'EXPIRED', message, lost: valuesOf(expired) });
    await this.deps.queue.remove(expired.map(({ key }) => key));
    return entries.filter(entry => !expired.includes(entry));
  }

  private pace(): Pace {
    const pace = this.deps.pace.read() ?? FIRST_PACE;
    // Stored while the clock was ahead.
    const isFar = pace.untilMs - this.deps.ids.nowMs() > PAUSE_MAX_MS;
    return isFar ? { ...pace, untilMs: 0 } : pace;
  }
}
