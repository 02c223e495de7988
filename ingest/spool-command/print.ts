// The text output of the command.

import type { Drained, Waiting } from './drain.ts';
import type { ListedLog } from './list.ts';
import type { Requeued } from './requeue.ts';
import { STATE_TEXTS, type Verified } from './verify.ts';

export function listText(logs: readonly ListedLog[]): string {
  const lines = logs.flatMap(({ cell, log, cursors, waiting, kept, quarantined }) => [
    `cell ${cell}, log ${log}`,
    `  waiting      ${counted(waiting.segments, 'segment')}, ${bytes(waiting.bytes)}${
      waiting.since === null ? '' : `, oldest written ${waiting.since}`
    }`,
    `  kept         ${counted(kept.segments, 'segment')}, ${bytes(kept.bytes)}, already delivered`,
    `  cursors      ${Object.entries(cursors)
      .map(([reader, sequence]) => `${reader} ${sequence}`)
      .join(', ')}`,
    `  quarantined  ${counted(quarantined.length, 'file')}`,
    ...quarantined.map(
      ({ file, bytes: size, since, reason }) => `    ${file}  ${bytes(size)}, ${since}, ${reason}`,
    ),
  ]);
  return text(lines, 'The spool is empty.');
}

export function verifyText(files: readonly Verified[]): string {
  const lines = files.map(({ file, isQuarantined, state, rows, damagedBytes }) => {
    const place = isQuarantined ? ' (quarantined)' : '';
    const damaged = damagedBytes > 0 ? `, ${bytes(damagedBytes)} damaged` : '';
    return `${file}${place}: ${STATE_TEXTS[state]}, ${counted(rows, 'row')}${damaged}`;
  });
  const quarantined = files.filter(({ isQuarantined }) => isQuarantined);
  const rows = quarantined.reduce((sum, file) => sum + file.rows, 0);
  lines.push(
    `${counted(quarantined.length, 'file')} in quarantine; requeue can restore ${counted(rows, 'row')}.`,
  );
  return text(lines, '');
}

const REASONS: Record<Exclude<Requeued['outcome'], 'requeued'>, string> = {
  'nothing whole': 'not requeued: it has no intact rows',
  'being read': 'not requeued: its segment is still waiting for a reader; retry later',
  'later release': 'not requeued: written by a later release; run requeue from that release',
  'not a segment': 'not requeued: not part of a segment',
};

export function requeueText(files: readonly Requeued[]): string {
  const lines = files.map(({ file, outcome, rows, bytesLeft }) => {
    if (outcome !== 'requeued') return `${file}: ${REASONS[outcome]}`;
    const left = bytesLeft > 0 ? `; ${bytes(bytesLeft)} are damaged and stay in quarantine` : '';
    return `${file}: ${counted(rows, 'row')} requeued${left}`;
  });
  if (files.some(({ outcome }) => outcome === 'requeued'))
    lines.push(
      'A running node delivers the rows within seconds; a stopped node delivers them when it starts.',
    );
  return text(lines, 'The quarantine is empty.');
}

export function waitingText({ state, segments, bytes: size }: Waiting): string {
  const waiting = `${counted(segments, 'segment')} waiting, ${bytes(size)}`;
  return state === 'confirmed'
    ? `The node accepts no events; ${waiting}.\n`
    : `Waiting for the node to stop accepting events; ${waiting}. If the node is stopped, start it: it will deliver the waiting segments without accepting new events.\n`;
}

export function drainedText({ request, keptSegments, quarantined }: Drained): string {
  const lines = ['The spool is empty: all its rows are in ClickHouse and Postgres.'];
  if (keptSegments > 0)
    lines.push(
      `Delivered segments that are still kept: ${keptSegments.toLocaleString('en')}. Each is kept for half an hour and sent again if ClickHouse loses rows that it had not synced. Unless ClickHouse is replicated, keep the node running until list shows none.`,
    );
  if (quarantined.length > 0)
    lines.push(
      `${counted(quarantined.length, 'file')} in quarantine. Before the disk is removed, run requeue or copy these files:`,
      ...quarantined.map(file => `  ${file}`),
    );
  lines.push(`To accept events again, delete ${request} and restart the node.`);
  return text(lines, '');
}

function text(lines: readonly string[], ifNone: string): string {
  return `${lines.length === 0 ? ifNone : lines.join('\n')}\n`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

function bytes(count: number): string {
  return `${count.toLocaleString('en')} bytes`;
}
