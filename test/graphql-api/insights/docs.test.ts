// The examples of the guide for analysts are accepted unchanged.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import { useSharedApi } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

const api = useSharedApi();
const GUIDE = join(import.meta.dirname, '../../../docs/analysts.md');
const EXAMPLES = [...(await readFile(GUIDE, 'utf8')).matchAll(/```graphql\n(.*?)```/gs)];

test('there is one for each report', () => {
  expect(EXAMPLES.map(([, text]) => /\w+/.exec(text!)![0])).toEqual([
    'trends',
    'retention',
    'funnel',
  ]);
});

test.for(EXAMPLES.map(([, text]) => text!))('%s', async document => {
  const { organizationId } = await createTenant();
  const answer = await api().graphql(document, { token: await tokenFor(organizationId) });
  expect(answer.errors, answer.text).toBeUndefined();
});
