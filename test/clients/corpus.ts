// The requests of the published clients, one file per client: recorded by npm run test:clients,
// replayed by test/ingest/compatible/recorded.test.ts.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kind } from './published-clients.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
/** Replaces the write key, which differs in each replay. */
export const WRITE_KEY_PLACE = '{{writeKey}}';

export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly hasBasicAuth: boolean;
  /** Whether the body was gzip, which not every client says in a header. */
  readonly isGzip?: true;
  /** The uncompressed body. */
  readonly body: string;
};

export type Recording = {
  readonly client: string;
  readonly version: string;
  /** The recorded calls, each once. */
  readonly kinds: readonly Kind[];
  readonly requests: readonly RecordedRequest[];
};

export async function readCorpus(): Promise<Recording[]> {
  const names = (await readdir(CORPUS)).filter(name => name.endsWith('.json')).toSorted();
  return Promise.all(
    names.map(async name => JSON.parse(await readFile(join(CORPUS, name), 'utf8')) as Recording),
  );
}

export async function writeRecording(recording: Recording): Promise<void> {
  const name = recording.client.replaceAll(/[^a-z0-9]+/gi, '-').replace(/^-/, '');
  await writeFile(join(CORPUS, `${name}.json`), `${JSON.stringify(recording, null, 2)}\n`);
}
