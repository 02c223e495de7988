// Every documented operation works with its examples. Each is sent with the examples of its body
// and parameters; the IDs are those of the caller, who has the required role.

import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../../schema/values/problem.ts';
import type { Answer } from '../../harness/http.ts';
import { useClockedApi } from '../partner/clocked-api.ts';
import {
  OPERATIONS,
  type Operation,
  operationOf,
  type Scene,
  sendExampleTo,
} from './openapi-operations.ts';
import { APPROVERS, SCENES } from './openapi-scenes.ts';

const api = useClockedApi(() => APPROVERS);

describe.concurrent('the example of', () => {
  test.for(OPERATIONS.map(({ operationId }) => operationId))('%s is accepted', async id => {
    const scene = SCENES[id];
    if (scene === undefined) throw new Error(`say in SCENES who may ${id}, and with which ids`);
    const operation = operationOf(id);
    const answer = await sendExample(operation, await scene(api()));
    const accepted = Object.keys(operation.responses).filter(status => /^[23]/.test(status));
    expect(accepted, answer.text).toContain(String(answer.status));
  });
});

describe.concurrent('X-Workspace-ID', () => {
  const documented = (operation: Operation) =>
    (operation.parameters ?? []).some(({ name }) => name === 'X-Workspace-ID');

  test.for(OPERATIONS.map(({ operationId }) => operationId))(
    'is a parameter of %s if it has an effect',
    async id => {
      const operation = operationOf(id);
      // An organization without a workspace, to test the error when one is required.
      const { organizationId } = await api().owner();
      const ids = { ...NOBODYS };
      const answer = await sendExample(operation, { organizationId, ids });
      const isNeeded = answer.text.includes(PROBLEMS.WORKSPACE_REQUIRED.title);
      expect(isNeeded, answer.text).toBe(documented(operation));
    },
  );
});

test('idempotent operations document how a repeat can be refused', () => {
  const faults = OPERATIONS.filter(
    ({ parameters = [], responses }) =>
      parameters.some(({ name }) => name === 'Idempotency-Key') &&
      ['400', '409', '422'].some(status => !(status in responses)),
  );
  expect(faults.map(({ operationId }) => operationId)).toEqual([]);
});

/** Values for path parameters of which the object need not exist. */
const NOBODYS: Readonly<Record<string, string>> = Object.fromEntries(
  OPERATIONS.flatMap(({ parameters = [] }) =>
    parameters
      .filter(one => one.in === 'path')
      .map(({ name, schema: { example } }) => [
        name,
        typeof example === 'number' ? String(example) : uuidv7(),
      ]),
  ),
);

function sendExample(operation: Operation, scene: Scene): Promise<Answer> {
  return sendExampleTo(api().url, operation, scene);
}
