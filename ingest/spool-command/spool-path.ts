// Parses the names of files in a spool.

import { join } from 'node:path';
import type { FileSystem } from '../spool/file-system.ts';
import { sequenceOf } from '../spool/segment.ts';
import { isDraft, type LogFolder, quarantineOf } from '../spool/spool-folders.ts';

export type SpoolPath = {
  readonly log: LogFolder;
  /** The log's folder or its quarantine. */
  readonly folder: string;
  readonly name: string;
  /** The sequence number of the segment or of the segment that it was copied from. */
  readonly sequence: number;
  /** The byte of the segment at which the file begins. */
  readonly start: number;
  /** For a copy: the byte of the segment at which it ends. */
  readonly end: number | undefined;
};

export type QuarantinedFile =
  | SpoolPath
  /** A row that neither its table nor rejected_events accepts, or a foreign file. */
  | {
      readonly log: LogFolder;
      readonly folder: string;
      readonly name: string;
      readonly sequence?: undefined;
    };

const COPY = /^(\d+\.segment)\.(\d+)-(\d+)$/;

export async function segmentsOf(fs: FileSystem, log: LogFolder): Promise<SpoolPath[]> {
  const files = await filesIn(fs, log, log.directory);
  return files.filter(file => file.sequence !== undefined);
}

export function quarantinedIn(fs: FileSystem, log: LogFolder): Promise<QuarantinedFile[]> {
  return filesIn(fs, log, quarantineOf(log.directory));
}

/** The name of a copy of a stretch of the file at `path`. */
export function stretchName({ name, start, end }: SpoolPath, from: number, to: number): string {
  const segment = end === undefined ? name : COPY.exec(name)![1]!;
  return `${segment}.${start + from}-${start + to}`;
}

export function nameInSpool({ log, name }: Pick<SpoolPath, 'log' | 'name'>): string {
  return join(log.cell, log.log, name);
}

async function filesIn(fs: FileSystem, log: LogFolder, folder: string): Promise<QuarantinedFile[]> {
  const names = (await fs.list(folder)).filter(name => !isDraft(name)).sort();
  return names.map(name => {
    const whole = sequenceOf(name);
    if (whole !== undefined)
      return { log, folder, name, sequence: whole, start: 0, end: undefined };
    const [, segment, start, end] = COPY.exec(name) ?? [];
    if (segment === undefined) return { log, folder, name };
    const sequence = sequenceOf(segment)!;
    return { log, folder, name, sequence, start: Number(start), end: Number(end) };
  });
}
