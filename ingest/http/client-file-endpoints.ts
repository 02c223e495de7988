// The client for script tags: /sdk.js, and its files under names that change with their content. They
// are read once, at the start of a thread.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../../schema/values/problem.ts';
import type { Incoming } from './incoming.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

/** Written by sdk/build.ts, each file with its compressed versions beside it. */
const BUILT = join(import.meta.dirname, '..', '..', 'sdk', 'dist', 'cdn');
/** The file without a hash in its name. */
const LATEST = 'sdk.js';
/** Browsers revalidate the file after this time, so that pages get a new release within minutes. */
const CLIENT_AGE = 'public, max-age=300';
const FOREVER = 'public, max-age=31536000, immutable';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

type ClientFile = {
  readonly etag: string;
  readonly plain: Buffer;
  /** By the name of their encoding, the smallest first. */
  readonly encoded: readonly (readonly [encoding: string, bytes: Buffer])[];
};

export function clientFileEndpoints(
  directory = BUILT,
): (readonly [path: string, endpoint: Endpoint])[] {
  const files = readFiles(directory);
  const reply = (file: ClientFile | undefined, incoming: Incoming, age: string) =>
    file === undefined ? missingReply(files.size > 0) : fileReply(file, incoming, age);
  const latest = files.get(LATEST);
  const methods = ['GET', 'HEAD'];
  return [
    ['/sdk.js', { methods, handle: incoming => reply(latest, incoming, CLIENT_AGE) }],
    [
      '/sdk/{file}',
      {
        methods,
        handle: (incoming, _, name) =>
          reply(name === LATEST ? undefined : files.get(name), incoming, FOREVER),
      },
    ],
  ];
}

function readFiles(directory: string): ReadonlyMap<string, ClientFile> {
  if (!existsSync(directory)) return new Map();
  const names = readdirSync(directory).filter(name => name.endsWith('.js'));
  return new Map(names.map(name => [name, readFile(join(directory, name))]));
}

function readFile(path: string): ClientFile {
  const plain = readFileSync(path);
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    encoded: [
      ['br', readFileSync(`${path}.br`)],
      ['gzip', readFileSync(`${path}.gz`)],
    ],
  };
}

function fileReply(file: ClientFile, incoming: Incoming, age: string): Reply {
  const headers: (readonly [string, string])[] = [
    ['Cache-Control', age],
    ['ETag', file.etag],
    ['Vary', 'Accept-Encoding'],
    // Modules are fetched with CORS, and isolated pages load nothing without the latter.
    ['Access-Control-Allow-Origin', '*'],
    ['Cross-Origin-Resource-Policy', 'cross-origin'],
  ];
  if (incoming.ifNoneMatch.includes(file.etag))
    return { status: 304, body: '', contentType: '', headers };
  const [encoding, bytes] =
    file.encoded.find(([name]) => takes(incoming.acceptEncoding, name)) ?? [];
  if (encoding !== undefined) headers.push(['Content-Encoding', encoding]);
  return { status: 200, body: bytes ?? file.plain, contentType: JAVASCRIPT, headers };
}

/** `gzip, br;q=0.5` accepts both; `br;q=0` does not accept br. */
function takes(acceptEncoding: string, encoding: string): boolean {
  return acceptEncoding.split(',').some(part => {
    const [name, quality = ''] = part.split(';');
    return name!.trim() === encoding && !/q=0(?:\.0*)?\s*$/.test(quality);
  });
}

function missingReply(isBuilt: boolean): Reply {
  const message = isBuilt
    ? 'The client has no file with this name. Load the client from /sdk.js.'
    : 'The client is not built. Run `npm run sdk` and restart.';
  return problemReply(problem('NOT_FOUND', message));
}
