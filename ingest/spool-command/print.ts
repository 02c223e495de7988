// The answers of the command for people.

import type { ListedLog } from './list.ts';
import type { Requeued } from './requeue.ts';
import type { Verified } from './verify.ts';

export function listText(logs: readonly ListedLog[]): string {
  const lines = logs.flatMap(({ cell, log, cursors, waiting, kept, quarantined }) => [
    `cell ${cell}, log ${log}`,
    `  waiting      ${counted(waiting.segments, 'segment')}, ${bytes(waiting.bytes)}${
      waiting.since === null ? '' : `, the oldest last written ${waiting.since}`
    }`,
    `  kept         ${counted(kept.segments, 'segment')}, ${bytes(kept.bytes)}, delivered already`,
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
    `${counted(quarantined.length, 'file')} in quarantine; requeue can bring back ${counted(rows, 'row')}.`,
  );
  return text(lines, '');
}

const REASONS: Record<Exclude<Requeued['outcome'], 'requeued'>, string> = {
  'nothing whole': 'no row in it is whole; it stays',
  'being read': 'a reader has yet to take its segment; repeat the command once it has',
  'later release': 'a later release wrote it; run the command of that one',
  'not a segment': 'not a part of a segment; it stays',
};

export function requeueText(files: readonly Requeued[]): string {
  const lines = files.map(({ file, outcome, rows, bytesLeft }) => {
    if (outcome !== 'requeued') return `${file}: ${REASONS[outcome]}`;
    const left = bytesLeft > 0 ? `; ${bytes(bytesLeft)} are damaged and stay` : '';
    return `${file}: ${counted(rows, 'row')} requeued${left}`;
  });
  if (files.some(({ outcome }) => outcome === 'requeued'))
    lines.push('A running node sends them within seconds, a stopped one when it starts.');
  return text(lines, 'Nothing is in quarantine.');
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
