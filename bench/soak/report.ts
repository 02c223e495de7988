// The lines and the table of a soak.

import { printTable } from '../print-table.ts';
import type { Requests, Sent } from './event-load.ts';
import type { Sample } from './samples.ts';
import type { Load } from './soak.ts';
import type { Compared } from './stored.ts';
import type { Judged } from './verdict.ts';

export type Result = {
  readonly machine: string;
  readonly load: Load;
  /** Nothing was lost, duplicated or refused, and no process was replaced. */
  readonly isRight: boolean;
  readonly replaced: readonly string[];
  readonly stored: Compared;
  readonly events: Omit<Sent, 'acknowledged'>;
  readonly queries: Requests;
  readonly judged: readonly Judged[];
  readonly samples: readonly Sample[];
};

export function progressLine({ atSeconds, values }: Sample, sent: Sent, queries: Requests): string {
  const shown = (name: string) => Math.round(values[name] ?? 0);
  return [
    `${(atSeconds / 60).toFixed(1)} min`,
    `${sent.acknowledgedEvents.toLocaleString('en-US')} events`,
    `${queries.sent.toLocaleString('en-US')} queries`,
    `${sent.requests.failed + queries.failed} failed`,
    `MB: ingest ${shown('ingest memory MB')}, API ${shown('api memory MB')}, ClickHouse ${shown('clickhouse memory MB')}, Postgres ${shown('postgres memory MB')}, spool ${shown('spool MB')}`,
    `${shown('ClickHouse active parts')} parts`,
    `oldest ${shown('oldest undelivered s')} s`,
    `load ${values['load average']!.toFixed(1)}`,
  ].join(' | ');
}

export function reportOf(result: Result): string {
  const { machine, load, stored, events, queries, judged, replaced, samples } = result;
  const table = printTable(
    judged.map(({ measure, at10, at50, at100, perHour, grown, allowed, verdict }) => ({
      measure,
      'at 10 %': rounded(at10),
      '50 %': rounded(at50),
      '100 %': rounded(at100),
      'per hour, second half': rounded(perHour),
      grown: rounded(grown),
      allowed: allowed === undefined ? '' : rounded(allowed),
      verdict,
    })),
  );
  const growing = judged
    .filter(({ verdict }) => verdict === 'growing')
    .map(({ measure }) => measure);
  const seconds = samples.at(-1)!.atSeconds;
  const rate = Math.round(events.acknowledgedEvents / seconds);
  return [
    `\n${machine}; ${load.minutes} min, ${load.eventsPerSecond} events/s, ${load.queriesPerSecond} GraphQL requests/s\n`,
    table,
    trendText(judged, growing),
    `Events: ${counted(events.acknowledgedEvents)} acknowledged (${counted(rate)}/s) and ${counted(events.feedback)} feedback, ${counted(stored.rows)} stored: ` +
      `${stored.lost} lost, ${stored.duplicated} duplicated, ${stored.unknown} unknown. ${counted(events.repeatedBatches)} batches were sent twice.`,
    requestsText('SDK requests', events.requests),
    requestsText('GraphQL requests', queries),
    replaced.length === 0 ? 'No process was replaced.' : `Replaced: ${replaced.join(', ')}.`,
    '',
  ].join('\n');
}

function trendText(judged: readonly Judged[], growing: readonly string[]): string {
  const flat = judged.filter(({ verdict }) => verdict === 'flat').length;
  if (growing.length > 0) return `Growing: ${growing.join(', ')}. Flat: ${flat} measures.`;
  return flat === 0
    ? 'The run was too short to detect growth.'
    : `Flat: ${flat} measures; none is growing.`;
}

function requestsText(name: string, { sent, failed, firstFailure }: Requests): string {
  const first = firstFailure === undefined ? '' : `; the first: ${firstFailure}`;
  return `${name}: ${counted(sent)}, ${failed} failed${first}.`;
}

function counted(value: number): string {
  return value.toLocaleString('en-US');
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
