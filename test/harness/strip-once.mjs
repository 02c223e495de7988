// Loaded into our programs by `--import` when tests start them: node strips the types of a file again in each
// process and each of its threads, which takes a third of a start. Here it is done once per run, by node's own
// function; the result is stored under the hash of the source, so that it is never stale. This file is not
// TypeScript, because node would have to load its stripper for it.

import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threadId } from 'node:worker_threads';

const directory = process.env.TEST_STRIPPED_DIRECTORY;
if (directory !== undefined) {
  mkdirSync(directory, { recursive: true });
  registerHooks({ resolve, load });
}

/** Node looks for the package.json of every file of ours, which takes longer than to read the file. */
function resolve(specifier, context, nextResolve) {
  const isOurs =
    specifier.startsWith('.') &&
    specifier.endsWith('.ts') &&
    context.parentURL?.startsWith('file:') &&
    !context.parentURL.includes('/node_modules/');
  if (!isOurs) return nextResolve(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
}

function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !url.endsWith('.ts') || url.includes('/node_modules/'))
    return nextLoad(url, context);
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const kept = join(directory, `${hash('sha1', source)}.js`);
  return { format: 'module', source: read(kept) ?? strip(source, kept), shortCircuit: true };
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function strip(source, kept) {
  const stripped = stripTypeScriptTypes(source);
  const draft = `${kept}.${process.pid}.${threadId}`;
  try {
    writeFileSync(draft, stripped);
    renameSync(draft, kept);
  } catch {
    // A full or closed directory costs time only.
  }
  return stripped;
}
