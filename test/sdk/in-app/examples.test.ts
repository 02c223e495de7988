// The documentation: the examples of the guide, its push payload, and the contract of campaigns.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { activeCampaign } from '../../../ingest/accept/active-campaign.contract.ts';
import { readCampaign } from '../../../sdk/in-app/campaign.ts';
import { readPushMessage } from '../../../sdk/push/push-message.ts';
import { newDirectory } from '../../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const GUIDE = readFile(join(ROOT, 'docs', 'sdk-in-app-and-push.md'), 'utf8');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');
const OPTIONS =
  '--ignoreConfig --noEmit --strict --skipLibCheck --target esnext --module nodenext --allowImportingTsExtensions';

/** The client that the guide speaks of. */
const CLIENT = `import type { Client } from '${ROOT}/sdk/browser/main.ts';
import type { InApp, InAppOptions } from '${ROOT}/sdk/in-app/main.ts';
declare const client: Client;
`;

async function examplesIn(language: string): Promise<string[]> {
  const blocks = (await GUIDE).matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'));
  return Array.from(blocks, ([, code]) => code!);
}

test('the examples compile', async () => {
  const directory = await newDirectory('sdk-examples');
  const examples = await examplesIn('ts');
  expect(examples.length).toBeGreaterThan(3);
  const files = examples.map((_, at) => join(directory, `example-${at}.mts`));
  await Promise.all(examples.map((code, at) => writeFile(files[at]!, CLIENT + code)));
  await promisify(execFile)(TSC, [...OPTIONS.split(' '), ...files], { cwd: ROOT }).catch(
    ({ stdout }) => expect.fail(stdout),
  );
});

test('every field of the documented payload is used', async () => {
  const [payload] = await examplesIn('json');
  const { title, ...fields } = JSON.parse(payload!) as Record<string, unknown>;
  const deps = { origin: 'https://shop.example', newId: () => '' };
  const message = readPushMessage(payload!, deps)!;
  const { data, ...shown } = message.options as { data: { engagement: object } };
  expect(message.title).toBe(title);
  const used = Object.keys({ ...shown, ...data.engagement }).filter(name => name !== 'urls');
  expect(new Set(used)).toEqual(new Set(Object.keys(fields)));
});

test('every field of a campaign in the contract is kept', () => {
  const campaign = { ...activeCampaign.meta()!.example!, journey_step_execution_id: 'step-1' };
  expect(Object.keys(campaign)).toEqual(Object.keys(activeCampaign.shape));
  expect(readCampaign(campaign)).toEqual(campaign);
});
