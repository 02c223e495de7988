// What becomes of a template: a verdict after a while, later perhaps a pause; by a seed, or on demand.

import { type EventFacts, eventBody } from './events.ts';
import type { HeldTemplate, Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

export type LifeManner = {
  /** Off: nothing is decided until it is asked for. */
  isAutomatic: boolean;
  /** The shortest and the longest that a verdict takes. */
  verdictMs: readonly [number, number];
  /** So many of a hundred approved ones are paused later. */
  pausedPercent: number;
};

export type Life = {
  readonly manner: LifeManner;
  begin(template: HeldTemplate): void;
  /** With no status, what the text deserves. */
  decide(template: HeldTemplate, options?: DecideOptions): void;
  say(template: HeldTemplate, event: string, options?: SayOptions): void;
  stop(): void;
};

export type SayOptions = {
  readonly title?: string | undefined;
  /** Nobody is told by webhook. */
  readonly isSilent?: boolean;
  readonly atMs?: number | undefined;
};
export type DecideOptions = SayOptions & {
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
};

/** What a template's status is once something was said of it; FLAGGED ones stay approved. */
const STATUS_AFTER: Readonly<Record<string, string>> = {
  PAUSED: 'PAUSED',
  DISABLED: 'DISABLED',
  FLAGGED: 'APPROVED',
  LOCKED: 'LOCKED',
  ARCHIVED: 'ARCHIVED',
  UNARCHIVED: 'APPROVED',
  PENDING_DELETION: 'PENDING_DELETION',
  DELETED: 'DELETED',
  REINSTATED: 'APPROVED',
  APPROVED: 'APPROVED',
};
/** How long a verdict stands before a pause, and a pause before its end, in verdict times. */
const LATER = 10;

export function createLife(
  { random }: Store,
  webhooks: Webhooks,
  { accountId, nowMs }: { readonly accountId: string; readonly nowMs: () => number },
): Life {
  const manner: LifeManner = { isAutomatic: true, verdictMs: [1_000, 5_000], pausedPercent: 0 };
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, work: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  };
  const duration = () => {
    const [least, most] = manner.verdictMs;
    return least + random() * (most - least);
  };
  const tell = (
    template: HeldTemplate,
    facts: Omit<EventFacts, 'accountId' | 'atMs'>,
    at?: number,
  ) =>
    webhooks.emit(
      template.channel,
      eventBody(template, { ...facts, accountId, atMs: at ?? nowMs() }),
    );

  const life: Life = {
    manner,
    begin(template) {
      if (!manner.isAutomatic) return;
      after(duration(), () => {
        life.decide(template);
        if (template.status === 'APPROVED' && random() * 100 < manner.pausedPercent)
          after(duration() * LATER, () => pauseForAWhile(template));
      });
    },
    decide(template, { status, reason, isSilent, atMs } = {}) {
      template.status = status ?? template.judgement.status;
      template.reason = reason ?? (status === undefined ? template.judgement.reason : null);
      if (isSilent !== true) tell(template, { event: template.status }, atMs);
    },
    say(template, event, { title, isSilent, atMs } = {}) {
      if (event === 'PAUSED') template.pauses++;
      template.status = STATUS_AFTER[event] ?? template.status;
      if (isSilent !== true)
        tell(template, { event, title: title ?? titleOf(template, event) }, atMs);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };

  /** Twice it ends by itself; the third time it is disabled. */
  function pauseForAWhile(template: HeldTemplate): void {
    if (template.pauses >= 2) {
      life.say(template, 'DISABLED');
      return;
    }
    life.say(template, 'PAUSED');
    after(duration() * LATER, () => life.say(template, 'APPROVED', { title: 'UNPAUSE' }));
  }

  return life;
}

function titleOf({ pauses }: HeldTemplate, event: string): string | undefined {
  if (event === 'DISABLED') return 'DISABLED';
  if (event !== 'PAUSED') return undefined;
  return pauses === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE';
}
