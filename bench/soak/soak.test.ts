import { describe, expect, test } from 'vitest';
import { EVENTS_PER_BATCH, organizationOf } from './batches.ts';
import type { Sample } from './samples.ts';
import { compareBatches, type StoredBatch } from './stored.ts';
import { judge } from './verdict.ts';

describe('stored events', () => {
  const BATCHES = 40;
  const sent = { acknowledged: new Uint8Array(BATCHES + 10).fill(1, 0, BATCHES), batches: BATCHES };
  const stored = (): StoredBatch[] =>
    Array.from({ length: BATCHES }, (_, batch) => ({
      organization: organizationOf(batch),
      batch,
      rows: EVENTS_PER_BATCH,
      events: EVENTS_PER_BATCH,
    }));
  const compared = (change: (batches: StoredBatch[]) => unknown) => {
    const batches = stored();
    change(batches);
    return compareBatches(sent, batches);
  };
  const whole = { lost: 0, duplicated: 0, unknown: 0, rows: BATCHES * EVENTS_PER_BATCH };

  test('that are all there, once each, are right', () => {
    expect(compared(() => undefined)).toEqual(whole);
  });

  test('a lost event and a lost batch are noticed', () => {
    const few = { rows: EVENTS_PER_BATCH - 1, events: EVENTS_PER_BATCH - 1 };
    expect(compared(all => Object.assign(all[7]!, few)).lost).toBe(1);
    expect(compared(all => all.splice(7, 1)).lost).toBe(EVENTS_PER_BATCH);
  });

  test('a duplicated event does not make up for a lost one', () => {
    const change = { rows: EVENTS_PER_BATCH, events: EVENTS_PER_BATCH - 1 };
    const found = compared(all => Object.assign(all[7]!, change));
    expect(found).toEqual({ ...whole, lost: 1, duplicated: 1 });
  });

  test('a batch in another organization, or one that was never sent, is noticed', () => {
    const organization = organizationOf(7) === 0 ? 1 : 0;
    const elsewhere = compared(all => Object.assign(all[7]!, { organization }));
    expect(elsewhere).toMatchObject({ unknown: EVENTS_PER_BATCH, lost: EVENTS_PER_BATCH });
    const extra = compared(all => all.push({ ...all[0]!, batch: BATCHES + 1 }));
    expect(extra).toMatchObject({ unknown: EVENTS_PER_BATCH, lost: 0 });
  });

  test('of a batch without a 200 may be stored or not', () => {
    const acknowledged = sent.acknowledged.with(7, 0);
    for (const batches of [stored(), stored().filter(({ batch }) => batch !== 7)])
      expect(compareBatches({ ...sent, acknowledged }, batches)).toMatchObject({
        lost: 0,
        unknown: 0,
      });
  });
});

describe('a measure', () => {
  const verdict = (measure: string, valueAt: (minute: number) => number, minutes = 60) => {
    const samples = Array.from({ length: minutes * 6 }, (_, index): Sample => {
      const atSeconds = (index + 1) * 10;
      return { atSeconds, pids: {}, values: { [measure]: valueAt(atSeconds / 60) } };
    });
    return judge(samples)[0]!.verdict;
  };

  test('that swings around its level is flat, and one that rises is growing', () => {
    const swing = (minute: number) => 250 + 20 * Math.sin(minute);
    expect(verdict('ingest memory MB', swing)).toBe('flat');
    expect(verdict('ingest memory MB', minute => swing(minute) + minute)).toBe('growing');
  });

  test('that rises only at first is flat', () => {
    expect(verdict('api memory MB', minute => Math.min(300, 200 + 10 * minute))).toBe('flat');
  });

  test('with few samples is not judged', () => {
    expect(verdict('api memory MB', () => 300, 1)).toBe('too short');
  });
});
