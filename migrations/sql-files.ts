import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SqlFile = {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly text: string;
};
export type AppliedFile = Pick<SqlFile, 'version' | 'name' | 'checksum'>;

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;

/** The numbered files of a directory, in order. */
export function readSqlFiles(directory: string): SqlFile[] {
  const files = readdirSync(directory)
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(name => {
      const match = FILE_NAME.exec(name);
      if (match === null)
        throw new Error(
          `${name} is not a valid file name for a migration. Use a name such as 0001_what_it_does.sql.`,
        );
      const text = readFileSync(join(directory, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(match[1]), name: match[2]!, checksum, text };
    });
  for (const [index, file] of files.entries()) {
    if (file.version === files[index - 1]?.version) {
      throw new Error(`Two migrations have the number ${file.version} in ${directory}.`);
    }
  }
  return files;
}

/**
 * The pending files. A file that changed after it was applied is refused, because existing
 * databases would permanently differ from new ones.
 */
export function pendingFiles(
  files: readonly SqlFile[],
  applied: readonly AppliedFile[],
  where: string,
): SqlFile[] {
  const byVersion = new Map(applied.map(file => [file.version, file]));
  return files.filter(file => {
    const earlier = byVersion.get(file.version);
    if (earlier === undefined) return true;
    if (earlier.checksum !== file.checksum) {
      throw new Error(
        `${label(file)} was changed after it was applied to ${where}. ` +
          'Restore the file, and put the change into a new file.',
      );
    }
    return false;
  });
}

export function label(file: AppliedFile): string {
  return `${String(file.version).padStart(4, '0')}_${file.name}`;
}
