// The path from a call to the queue, shared by browsers and Node. Events and reports have separate
// queues, so that an unavailable endpoint does not delay events.

import type { ReportPath } from './client-host.ts';
import { createEntry, type Entry } from './entry.ts';
import { type Call, eventOf, type Properties, type Who } from './event.ts';
import type { Ids } from './ids.ts';
import { valuesOf } from './json.ts';
import { BODY_BYTES_MAX, ENVELOPE_BYTES } from './limits.ts';
import type { OnProblem } from './problem.ts';
import type { Sender } from './sender.ts';

export type PipelineDeps = {
  readonly events: Sender;
  readonly reports: Sender;
  readonly ids: Ids;
  readonly onProblem: OnProblem;
};

export class Pipeline {
  private readonly deps: PipelineDeps;

  constructor(deps: PipelineDeps) {
    this.deps = deps;
  }

  /** The entry of a call; undefined, and reported, if it cannot be sent. */
  event(
    call: Call,
    who: Who,
    context: Properties,
    given: { readonly timestamp?: Date | undefined; readonly messageId?: string | undefined } = {},
  ): Entry | undefined {
    const { ids } = this.deps;
    const { timestamp = new Date(ids.nowMs()), messageId = ids.newId() } = given;
    return this.entry('/v1/batch', () =>
      eventOf(call, who, { messageId, timestamp: timestamp.toISOString(), context }),
    );
  }

  report(path: ReportPath, body: Properties): Entry | undefined {
    return this.entry(path, () => body);
  }

  add(entry: Entry): void {
    const { events, reports } = this.deps;
    (entry.path === '/v1/batch' ? events : reports).add(entry);
  }

  async flush(): Promise<void> {
    await Promise.all([this.deps.events.flush(), this.deps.reports.flush()]);
  }

  private entry(path: Entry['path'], create: () => Properties): Entry | undefined {
    const { ids, onProblem } = this.deps;
    try {
      const entry = createEntry(path, create(), ids);
      if (entry.bytes <= BODY_BYTES_MAX - ENVELOPE_BYTES) return entry;
      const message = `It has ${entry.bytes} bytes; the limit is ${BODY_BYTES_MAX}.`;
      onProblem({ code: 'PAYLOAD_TOO_LARGE', message, lost: valuesOf([entry]) });
    } catch (error) {
      // A circular reference, a BigInt or an invalid date.
      onProblem({ code: 'NOT_SERIALIZABLE', message: String(error), lost: [] });
    }
    return undefined;
  }
}
