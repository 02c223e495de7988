// Serves `/console`, built by `npm run console`. The files are static and public; the data comes from
// GraphQL with the viewer's token.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { Hono } from 'hono';
import type { ConsoleSignIn } from '../platform/config.ts';
import type { HttpEnv } from '../platform/http-env.ts';
import { accepts } from './accepts.ts';
import { CONSOLE_PATH, IDENTITY_PROVIDER_PATH } from './console-path.ts';
import { issuerOrigins } from './issuer-origins.ts';

const BUILT = join(import.meta.dirname, '..', '..', 'console', 'dist');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Encodings of precompressed files and their suffixes, in order of preference. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Allows only resources of this origin, and no embedding in other pages. Requests may also go to
 * the issuer at which users sign in.
 */
const policyFor = (issuerOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // The component library uses style elements and attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...issuerOrigins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
/** The policy of all files except the page. */
const POLICY = policyFor([]);

/** The names of these files contain a hash. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
const REVALIDATE = 'no-cache';
const PAGE = 'index.html';
const NOT_BUILT = `<!doctype html><html lang="en"><title>Console</title>
<p>The console is not built. Run <code>npm run console</code>, then load this page again.</p>`;

type ConsoleParts = {
  readonly directory?: string;
  readonly signIn?: ConsoleSignIn | undefined;
  readonly clock: { nowMs(): number };
};
type File = { readonly bytes: Uint8Array<ArrayBuffer>; readonly etag: string };
type Files = ReadonlyMap<string, File>;

export function consoleRoutes({ directory = BUILT, signIn, clock }: ConsoleParts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  let reading: Promise<Files> | undefined;
  const files = async () => {
    reading ??= readFiles(directory);
    const found = await reading;
    // The console can be built while the process runs.
    if (found.size === 0) reading = undefined;
    return found;
  };
  const origins = signIn && issuerOrigins(signIn.issuer, clock);
  const policy = async () => policyFor((await origins?.()) ?? []);
  app.get(CONSOLE_PATH, async c => page(c.req.raw.headers, await files(), await policy()));
  app.get(IDENTITY_PROVIDER_PATH, c => c.json({ identityProvider: signIn ?? null }));
  app.get(`${CONSOLE_PATH}/*`, async c => {
    const name = c.req.path.slice(CONSOLE_PATH.length + 1);
    const asked = c.req.raw.headers;
    const all = await files();
    if (all.has(name) && name !== PAGE) return answer({ asked, files: all, name, policy: POLICY });
    // The URL of a view, for example from a bookmark. A name with an extension is a missing file.
    const isView = extname(name) === '' || name === PAGE;
    return isView ? page(asked, all, await policy()) : c.notFound();
  });
  return app;
}

/** All files by their path below `directory`; empty if the console is not built. */
async function readFiles(directory: string): Promise<Files> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const read = entries
    .filter(entry => entry.isFile())
    .map(async entry => {
      const path = join(entry.parentPath, entry.name);
      const bytes = new Uint8Array(await readFile(path));
      return [
        relative(directory, path).split(sep).join('/'),
        { bytes, etag: quoted(bytes) },
      ] as const;
    });
  return new Map(await Promise.all(read));
}

function page(asked: Headers, files: Files, policy: string): Response {
  if (files.has(PAGE)) return answer({ asked, files, name: PAGE, policy });
  return new Response(NOT_BUILT, {
    status: 503,
    headers: { 'content-type': TYPES['.html']!, 'content-security-policy': POLICY },
  });
}

type Answering = {
  readonly asked: Headers;
  readonly files: Files;
  readonly name: string;
  readonly policy: string;
};

function answer({ asked, files, name, policy }: Answering): Response {
  const accepted = asked.get('accept-encoding') ?? '';
  const encoding = ENCODINGS.find(
    ([token, suffix]) => files.has(name + suffix) && accepts(accepted, token),
  );
  const file = files.get(name + (encoding?.[1] ?? ''))!;
  const etag = policy === POLICY ? file.etag : etagOf(file.etag, policy);
  const headers = new Headers({
    'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    'cache-control': name.startsWith('assets/') ? IMMUTABLE : REVALIDATE,
    'content-security-policy': policy,
    vary: 'accept-encoding',
    etag,
  });
  if (asked.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  if (encoding !== undefined) headers.set('content-encoding', encoding[0]);
  return new Response(file.bytes, { headers });
}

/**
 * Includes the policy, because a browser that has a page in its cache keeps the policy that the
 * page was sent with.
 */
function etagOf(fileEtag: string, policy: string): string {
  return quoted(Buffer.from(fileEtag + policy));
}

function quoted(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
