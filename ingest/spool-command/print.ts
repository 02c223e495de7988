// The text output of the command.

import type { ListedLog } from './list.ts';
import type { Requeued } from './requeue.ts';
import type { Verified } from './verify.ts';

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
    return `${file}${place}: ${state}, ${counted(rows, 'row')}${damaged}`;
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
  'later release': 'not requeued: written by a later release; run requeue of that release',
  'not a segment': 'not requeued: not part of a segment',
};

export function requeueText(files: readonly Requeued[]): string {
  const lines = files.map(({ file, outcome, rows, bytesLeft }) => {
    if (outcome !== 'requeued') return `${file}: ${REASONS[outcome]}`;
    const left = bytesLeft > 0 ? `; ${bytes(bytesLeft)} are damaged and stay in quarantine` : '';
    return `${file}: ${counted(rows, 'row')} requeued${left}`;
  });
  if (files.some(({ outcome }) => outcome === 'requeued'))
    lines.push('A running node delivers them within seconds, a stopped node when it starts.');
  return text(lines, 'The quarantine is empty.');
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
