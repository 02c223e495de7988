// The client for servers: events of many people, and a queue in memory.

import type { ReportPath } from '../core/client-host.ts';
import { FIRST_PACE, type Pace } from '../core/decide.ts';
import { type Device, type DeviceReason, deactivateBody, registerBody } from '../core/device.ts';
import type { Entry } from '../core/entry.ts';
import type { Call, Properties } from '../core/event.ts';
import { createIds } from '../core/ids.ts';
import { valuesOf } from '../core/json.ts';
import { LIBRARY } from '../core/library.ts';
import { BATCH_EVENTS_MAX, QUEUE_ENTRIES_MAX } from '../core/limits.ts';
import { MemoryQueue } from '../core/memory-queue.ts';
import { Pipeline } from '../core/pipeline.ts';
import { Problems } from '../core/problems.ts';
import { Sender } from '../core/sender.ts';
import { createPost } from '../core/transport.ts';
import type { EventOptions, NodeClient, NodeClientOptions } from './types.ts';

const FLUSH_AFTER_MS = 1_000;
const CLOSE_TIMEOUT_MS = 10_000;
/** How long a process with nothing else to do tries to send the remaining events. */
const EXIT_TIMEOUT_MS = 60_000;

type Lane = { readonly queue: MemoryQueue; readonly sender: Sender };

export class ServerClient implements NodeClient {
  private readonly problems = new Problems();
  private readonly ids = createIds();
  private readonly events: Lane;
  private readonly reports: Lane;
  private readonly pipeline: Pipeline;
  private isClosed = false;

  constructor({ writeKey, host, onProblem }: NodeClientOptions) {
    if (onProblem !== undefined) this.problems.listen(onProblem);
    const post = createPost(host.replace(/\/+$/, ''), writeKey);
    const lane = (batchSize: number): Lane => {
      const queue = new MemoryQueue(this.problems.report);
      let pace: Pace = FIRST_PACE;
      const sender = new Sender({
        queue,
        post,
        writeKey,
        ids: this.ids,
        onProblem: this.problems.report,
        pace: {
          read: () => pace,
          write(next) {
            pace = next;
          },
        },
        exclusively: work => work(),
        batchSize,
        flushAfterMs: FLUSH_AFTER_MS,
        unref: timer => (timer as NodeJS.Timeout).unref(),
      });
      return { queue, sender };
    };
    this.events = lane(BATCH_EVENTS_MAX);
    this.reports = lane(1);
    const { ids } = this;
    const [events, reports] = [this.events.sender, this.reports.sender];
    this.pipeline = new Pipeline({ events, reports, ids, onProblem: this.problems.report });
    process.on('beforeExit', this.beforeExit);
  }

  track(event: Parameters<NodeClient['track']>[0]): void {
    this.send({ type: 'track', event: event.event, properties: event.properties }, event);
  }

  identify(event: Parameters<NodeClient['identify']>[0]): void {
    this.send({ type: 'identify', traits: event.traits }, event);
  }

  page(event: Parameters<NodeClient['page']>[0]): void {
    this.send({ type: 'page', name: event.name, properties: event.properties }, event);
  }

  screen(event: Parameters<NodeClient['screen']>[0]): void {
    this.send({ type: 'screen', name: event.name, properties: event.properties }, event);
  }

  group(event: Parameters<NodeClient['group']>[0]): void {
    this.send({ type: 'group', groupId: event.groupId, traits: event.traits }, event);
  }

  alias(event: Parameters<NodeClient['alias']>[0]): void {
    this.send({ type: 'alias', previousId: event.previousId }, event);
  }

  registerDevice(device: Parameters<NodeClient['registerDevice']>[0]): void {
    const body = registerBody(device, device.anonymousId, device.contactId);
    this.report('/v1/devices/register', body);
  }

  deactivateDevice(device: Device & DeviceReason): void {
    this.report('/v1/devices/deactivate', deactivateBody(device));
  }

  get waiting(): number {
    return this.events.queue.size + this.reports.queue.size;
  }

  flush(): Promise<void> {
    return this.pipeline.flush();
  }

  async close(timeoutMs = CLOSE_TIMEOUT_MS): Promise<void> {
    process.off('beforeExit', this.beforeExit);
    await this.flushWithin(timeoutMs);
    this.isClosed = true;
    await this.giveUp();
  }

  /** The timers do not keep the process alive, but waiting events do. */
  private readonly beforeExit = () => {
    if (this.waiting > 0) void this.flushWithin(EXIT_TIMEOUT_MS).then(() => this.giveUp());
  };

  private async flushWithin(timeoutMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
  }

  /** The remaining events are lost when the process ends. */
  private async giveUp(): Promise<void> {
    for (const { queue, sender } of [this.events, this.reports]) {
      sender.stop();
      if (queue.size === 0) continue;
      const lost = valuesOf(await queue.take(QUEUE_ENTRIES_MAX));
      queue.clear();
      this.problems.report({
        code: 'NOT_SENT',
        message: 'The client was closed before these entries were sent.',
        lost,
      });
    }
  }

  private send(call: Call, options: EventOptions): void {
    const { userId, timestamp, messageId, context } = options;
    const anonymousId = options.anonymousId ?? userId ?? '';
    const day = dayOf(timestamp ?? new Date(this.ids.nowMs()));
    const who = { anonymousId, userId, sessionId: options.sessionId ?? `${anonymousId}:${day}` };
    const whole = { library: LIBRARY, ...context };
    this.add(this.pipeline.event(call, who, whole, { timestamp, messageId }));
  }

  private report(path: ReportPath, body: Properties): void {
    this.add(this.pipeline.report(path, body));
  }

  private add(entry: Entry | undefined): void {
    if (entry === undefined) return;
    if (!this.isClosed) this.pipeline.add(entry);
    else
      this.problems.report({
        code: 'NOT_SENT',
        message: 'The client is closed.',
        lost: valuesOf([entry]),
      });
  }
}

/** `2026-11-23`. An invalid date is reported with its event. */
function dayOf(date: Date): string {
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
