// Checks of the times at which events were sent and retried.

import type { Attempt, Batch, Ending } from './record.ts';
import type { RuleId } from './rules.ts';
import type { Problem } from './stage.ts';

/** The maximum delay of a request that was sent before its client had received the response. */
const IN_FLIGHT_MS = 50;

/** Checks that no event of a batch is sent again after such a response. */
export function* resentProblems(
  batches: readonly Batch[],
  isFinal: (ending: Ending | undefined) => boolean,
  rule: RuleId,
  after: string,
): Generator<Problem> {
  const finalAt = new Map<string, { atMs: number; number: number }>();
  for (const { atMs, number, delivery, ending } of batches) {
    for (const { messageId } of delivery.events) {
      const end = finalAt.get(messageId);
      if (end === undefined || atMs < end.atMs + IN_FLIGHT_MS) continue;
      yield {
        rule,
        expected: `no request with messageId ${messageId} after request ${end.number}, which got ${after}`,
        found: `request ${number}, ${atMs - end.atMs} ms later, contains this messageId again`,
      };
      break;
    }
    if (isFinal(ending))
      for (const { messageId } of delivery.events)
        finalAt.set(messageId, { atMs: ending!.atMs, number });
  }
}

export function isStored(ending: Ending | undefined): boolean {
  return ending?.kind === 'answered' && ending.status === 200 && ending.body.startsWith('{"status');
}

export function hasStatus(...statuses: readonly number[]) {
  return (ending: Ending | undefined): boolean =>
    ending?.kind === 'answered' && statuses.includes(ending.status);
}

/** Timers may fire a little early. */
const TIMER_TOLERANCE_MS = 50;

export function* waitProblems(batches: readonly Batch[]): Generator<Problem> {
  for (const { ending, number } of batches) {
    if (ending?.kind !== 'answered' || ending.retryAfterSeconds === undefined) continue;
    const untilMs = ending.atMs + ending.retryAfterSeconds * 1000;
    const early = batches.find(
      ({ atMs }) => atMs > ending.atMs + IN_FLIGHT_MS && atMs < untilMs - TIMER_TOLERANCE_MS,
    );
    if (early !== undefined)
      yield {
        rule: 'retry-after',
        expected: `no request for ${ending.retryAfterSeconds} s after the response to request ${number}`,
        found: `request ${early.number} was sent ${early.atMs - ending.atMs} ms after that response`,
      };
  }
}

const HAMMERING = { attempts: 10, windowMs: 10_000 } as const;

export function* hammeringProblems(batches: readonly Batch[]): Generator<Problem> {
  const times = new Map<string, number[]>();
  for (const { atMs, delivery } of batches)
    for (const { messageId } of delivery.events)
      times.set(messageId, [...(times.get(messageId) ?? []), atMs]);
  for (const [messageId, at] of times)
    for (const [index, fromMs] of at.entries()) {
      const later = at[index + HAMMERING.attempts];
      if (later === undefined || later - fromMs > HAMMERING.windowMs) continue;
      yield {
        rule: 'no-hammering',
        expected: `at most ${HAMMERING.attempts} attempts in ${HAMMERING.windowMs / 1000} s`,
        found: `messageId ${messageId} was sent ${HAMMERING.attempts + 1} times in ${later - fromMs} ms`,
      };
      return;
    }
}

export function* overlapProblems(batches: readonly Batch[]): Generator<Problem> {
  const open = new Map<string, Attempt>();
  for (const batch of batches)
    for (const { messageId } of batch.delivery.events) {
      const before = open.get(messageId);
      open.set(messageId, batch);
      if (before === undefined || (before.ending?.atMs ?? Infinity) <= batch.atMs) continue;
      yield {
        rule: 'one-request-per-event',
        expected: `request ${before.number} ends before its events are sent again`,
        found: `request ${batch.number} with messageId ${messageId} was sent while request ${before.number} was still in progress`,
      };
      break;
    }
}
