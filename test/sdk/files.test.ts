// The client as it is built and served.

import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clientFileEndpoints } from '../../ingest/http/client-file-endpoints.ts';
import type { Incoming } from '../../ingest/http/incoming.ts';
import { send } from '../harness/http.ts';
import { useSharedIngest } from '../harness/ingest-process.ts';
import { newDirectory } from '../harness/run-directory.ts';

const DIST = join(import.meta.dirname, '..', '..', 'sdk', 'dist');
/** 6 KB, for what every page loads. */
const COMPRESSED_BYTES_MAX = 6 * 1024;
const ingest = useSharedIngest();

test.for(['br', 'gz'])('the script has at most 6 KB as %s', async end => {
  const { size } = await stat(join(DIST, 'cdn', `sdk.js.${end}`));
  process.stdout.write(`the client as ${end}: ${size} bytes\n`);
  expect(size).toBeLessThanOrEqual(COMPRESSED_BYTES_MAX);
});

test('the script is served compressed, for minutes, to any page', async () => {
  const plain = await readFile(join(DIST, 'cdn', 'sdk.js'), 'utf8');
  const got = await get('/sdk.js');
  expect(got.status).toBe(200);
  expect(got.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    vary: 'Accept-Encoding',
  });
  expect(got.text).toBe(plain);
  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br;q=1.0', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    const response = await fetchRaw('/sdk.js', accepted);
    expect(response.encoding).toBe(encoding);
    expect(decode(response.bytes).toString()).toBe(plain);
  }
});

test('a browser with a cached copy gets 304', async () => {
  const { etag = '' } = (await get('/sdk.js')).headers;
  const again = await get('/sdk.js', { 'if-none-match': `W/"old", ${etag}` });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
});

test('the same script has an address that never changes', async () => {
  const names = (await readdir(join(DIST, 'cdn'))).filter(name => /^\d.*\.js$/.test(name));
  expect(names).toHaveLength(1);
  const got = await get(`/sdk/${names[0]}`);
  expect(got.status).toBe(200);
  expect(got.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(got.text).toBe((await get('/sdk.js')).text);
});

test.for(['/sdk/sdk.js', '/sdk/0.0.0-old.js', '/sdk/..%2Fsdk.js'])('%s is 404', async path => {
  const got = await get(path);
  expect([got.status, got.json().code]).toEqual([404, 'NOT_FOUND']);
});

test('without a build, ingest returns the command to run', async () => {
  const [[path, endpoint] = []] = clientFileEndpoints(await newDirectory('no-build'));
  const incoming = { acceptEncoding: 'br', ifNoneMatch: '' } as Incoming;
  const reply = await endpoint!.handle(incoming, Buffer.alloc(0), '', () => undefined);
  expect([path, reply.status]).toEqual(['/sdk.js', 404]);
  expect(reply.body).toContain('npm run sdk');
});

test('the package loads as a module and as CommonJS, with types', async () => {
  const { exports } = JSON.parse(
    await readFile(join(DIST, '..', 'package.json'), 'utf8'),
  ) as PackageJson;
  for (const entry of [exports['.'], exports['./node']])
    for (const { types, default: path } of [entry.import, entry.require]) {
      const file = join(DIST, '..', path);
      const loaded = (
        entry.import.default === path ? await import(file) : createRequire(import.meta.url)(file)
      ) as Record<string, unknown>;
      expect(Object.keys(loaded)).toEqual(['createClient']);
      expect(await readFile(join(DIST, '..', types), 'utf8')).toContain('createClient');
    }
});

test.for([
  ['nodenext', 'import'],
  ['nodenext', 'require'],
  ['bundler', 'import'],
])('its types are found by a program with %s and %s', async ([resolution, kind]) => {
  const directory = await newDirectory('types');
  const isModule = kind === 'import';
  await writeFile(
    join(directory, 'package.json'),
    `{"type": "${isModule ? 'module' : 'commonjs'}"}`,
  );
  await writeFile(
    join(directory, 'program.ts'),
    `import { createClient } from 'engagement-client';
     import { createClient as createNodeClient } from 'engagement-client/node';
     createClient({ writeKey: 'wk', host: 'https://h' }).track('Signed Up', { plan: 'pro' });
     createNodeClient({ writeKey: 'wk', host: 'https://h' }).track({ userId: 'u', event: 'Paid' });
     // @ts-expect-error Nobody's event.
     createNodeClient({ writeKey: 'wk', host: 'https://h' }).track({ event: 'Paid' });`,
  );
  await compile(directory, resolution!);
});

test('every example of the guide compiles', async () => {
  const guide = await readFile(join(DIST, '../../docs/sdk-developers.md'), 'utf8');
  const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  expect(examples.length).toBeGreaterThan(3);
  const directory = await newDirectory('examples');
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  // Those without an import continue the first one.
  const first = examples.find(code => code.includes("from 'engagement-client'"))!;
  for (const [i, code] of examples.entries())
    await writeFile(
      join(directory, `example-${i}.ts`),
      code.includes('import ') ? code : `${first}\n{\n${code}\n}`,
    );
  await compile(directory, 'nodenext');
});

type Condition = { readonly types: string; readonly default: string };
type Entry = { readonly import: Condition; readonly require: Condition };
type PackageJson = { readonly exports: { readonly '.': Entry; readonly './node': Entry } };

function get(path: string, headers: Record<string, string> = {}) {
  return send(ingest().url + path, { method: 'GET', headers });
}

/** The bytes as they were sent. */
async function fetchRaw(path: string, accepted: string) {
  const url = ingest().url + path;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': accepted }, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
  return { encoding: answer.headers['content-encoding'], bytes: await buffer(answer) };
}

/** Of the TypeScript files in a directory that has the package installed. */
async function compile(directory: string, resolution: string): Promise<void> {
  const modules = join(directory, 'node_modules');
  await mkdir(modules);
  await symlink(join(DIST, '..'), join(modules, 'engagement-client'));
  const files = (await readdir(directory)).filter(name => name.endsWith('.ts'));
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const options = ['--noEmit', '--strict', '--target', 'esnext', '--lib', 'esnext,dom'];
  const resolving = ['--module', module, '--moduleResolution', resolution, '--types', ''];
  const run = promisify(execFile)(process.execPath, [tsc, ...options, ...resolving, ...files], {
    cwd: directory,
  });
  const output = await run.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toBe('');
}
