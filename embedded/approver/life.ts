// The lifecycle of a template: a delayed verdict and possibly a later pause, by seed or on demand.

import { type EventFacts, eventBody } from './events.ts';
import type { HeldTemplate, Store } from './store.ts';
import type { Webhooks } from './webhooks.ts';

export type LifeManner = {
  /** False: no verdict is given until one is requested. */
  isAutomatic: boolean;
  /** The shortest and the longest time until a verdict. */
  verdictMs: readonly [number, number];
  /** The percentage of approved templates that are paused later. */
  pausedPercent: number;
};

export type Life = {
  readonly manner: LifeManner;
  begin(template: HeldTemplate): void;
  /** Without a status, the verdict follows from the text. */
  decide(template: HeldTemplate, options?: DecideOptions): void;
  say(template: HeldTemplate, event: string, options?: SayOptions): void;
  stop(): void;
};

export type SayOptions = {
  readonly title?: string | undefined;
  /** Sends no webhook. */
  readonly isSilent?: boolean;
  readonly atMs?: number | undefined;
};
export type DecideOptions = SayOptions & {
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
};

/** The status of a template after an event. A flagged template stays approved. */
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
/** The time from a verdict to a pause, and the length of a pause, in verdict times. */
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

  /** Two pauses end on their own; the third one disables the template. */
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
