// Durable notes in the directory of the segments, written before an attempt: which neighbors are
// inserted as one group, and which of them may be in the warehouse in parts. A group is noted
// before its first attempt and never changes, because the rule "if some of its rows are in
// ClickHouse, all are" holds only for exactly these segments. A note is the name of an empty file,
// so it exists as a whole or not at all.

import { join } from 'node:path';
import type { FileSystem } from '../spool/file-system.ts';
import { firstIndex } from '../spool/first-index.ts';
import { sequenceOf } from '../spool/segment.ts';
import { sequenceInParts } from './parts-marker.ts';

/** A range of segments by sequence number, inclusive. */
type Range = { readonly first: number; readonly last: number };

export type Group = Range & {
  /** The ID of the first segment; the IDs of all queries with rows of the group start with it. */
  readonly id: string;
};

export type Markers = {
  readonly groups: readonly Group[];
  readonly inParts: ReadonlySet<number>;
};

/** Undefined for a segment that is inserted alone. */
export function groupOf({ groups }: Markers, sequence: number): Group | undefined {
  return groups.find(group => isWithin(sequence, group));
}

/** Whether the warehouse may have parts of the segment or of its group. */
export function isInParts(markers: Markers, sequence: number): boolean {
  const range = groupOf(markers, sequence) ?? { first: sequence, last: sequence };
  for (const inParts of markers.inParts) if (isWithin(inParts, range)) return true;
  return false;
}

export function isWithin(sequence: number, { first, last }: Range): boolean {
  return sequence >= first && sequence <= last;
}

export async function markGroup(fs: FileSystem, directory: string, group: Group): Promise<void> {
  const file = await fs.overwrite(join(directory, nameOf(group)));
  await file.close();
  await fs.syncDirectory(directory);
}

/** Reads the notes of the existing segments. */
export async function readMarkers(fs: FileSystem, directory: string): Promise<Markers> {
  return markersAmong(await fs.list(directory));
}

/** Reads the notes and removes those whose segments no longer exist. */
export async function sweepMarkers(fs: FileSystem, directory: string): Promise<Markers> {
  const { stale, ...markers } = markersAmong(await fs.list(directory));
  for (const name of stale) await fs.unlink(join(directory, name));
  // A removed file that reappears after a crash could be mistaken for a note of future segments.
  if (stale.length > 0) await fs.syncDirectory(directory);
  return markers;
}

function markersAmong(names: readonly string[]): Markers & { readonly stale: readonly string[] } {
  const sequences = names.flatMap(name => sequenceOf(name) ?? []).sort((a, b) => a - b);
  const groups: Group[] = [];
  const inParts = new Set<number>();
  const stale: string[] = [];
  for (const name of names) {
    const group = parseName(name);
    if (group === undefined) continue;
    if (hasAny(sequences, group)) groups.push(group);
    else stale.push(name);
  }
  for (const name of names) {
    const sequence = sequenceInParts(name);
    if (sequence === undefined) continue;
    const group = groupOf({ groups, inParts }, sequence);
    if (hasAny(sequences, group ?? { first: sequence, last: sequence })) inParts.add(sequence);
    else stale.push(name);
  }
  return { groups, inParts, stale };
}

const SEQUENCE_DIGITS = 12;
const NAME = /^(\d+)-(\d+)\.([\da-f-]{36})\.group$/;

function nameOf({ first, last, id }: Group): string {
  const digits = (sequence: number) => String(sequence).padStart(SEQUENCE_DIGITS, '0');
  return `${digits(first)}-${digits(last)}.${id}.group`;
}

function parseName(name: string): Group | undefined {
  const [, first, last, id] = NAME.exec(name) ?? [];
  return id === undefined ? undefined : { first: Number(first), last: Number(last), id };
}

/** `sequences` is in ascending order. */
function hasAny(sequences: readonly number[], { first, last }: Range): boolean {
  const found = sequences[firstIndex(sequences, sequence => sequence >= first)];
  return found !== undefined && found <= last;
}
