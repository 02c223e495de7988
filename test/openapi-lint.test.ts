// Both OpenAPI documents pass the default rules of common linters, so that generators of clients
// and documentation accept them unchanged.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const FILES = ['graphql-api/openapi.json', 'ingest/openapi.json'];

describe.each(FILES)('%s', file => {
  const path = join(ROOT, file);

  test('passes the recommended rules of Redocly', async () => {
    expect(await redocly(path, await readFile(path, 'utf8'))).toEqual([]);
  });

  test('passes the rules of Spectral for OpenAPI', async () => {
    expect(await stoplight(path, await readFile(path, 'utf8'))).toEqual([]);
  });
});

test('the linters detect the violations that they check for', async () => {
  const path = join(ROOT, 'ingest/openapi.json');
  const document = JSON.parse(await readFile(path, 'utf8')) as { servers?: unknown };
  delete document.servers;
  const source = JSON.stringify(document);
  expect(await redocly(path, source)).toEqual([expect.stringContaining('no-empty-servers')]);
  expect(await stoplight(path, source)).toEqual([expect.stringContaining('oas3-api-servers')]);
});

async function redocly(absoluteRef: string, source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef, config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
  );
}

async function stoplight(path: string, source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const found = await linter.run(new spectral.Document(source, parsers.Json, path));
  return found.map(({ code, message, path: at }) => `${code}: ${message} ${at.join('/')}`);
}
