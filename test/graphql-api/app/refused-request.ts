import { expect } from 'vitest';
import { createTenant } from '../../harness/tenant.ts';
import type { GraphqlAnswer } from '../harness/api-process.ts';
import { tokenFor } from '../harness/tokens.ts';

export function expectRefused(answer: GraphqlAnswer, status: number, code: string): void {
  expect(answer.text).toContain(code);
  expect(answer.status).toBe(status);
  const extensions = answer.errors?.[0]?.extensions;
  expect(extensions?.code).toBe(code);
  expect(extensions?.requestId).toBe(answer.headers['x-request-id']);
}

export async function ownerToken(): Promise<string> {
  return tokenFor((await createTenant()).organizationId);
}
