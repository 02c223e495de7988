import { expect } from 'vitest';
import { Rejected } from '../../../../graphql-api/platform/rejected.ts';
import type { ProblemCode } from '../../../../schema/values/problem.ts';

/** Expects the attempt to be refused with only this code. */
export async function expectRefusal(attempt: Promise<unknown>, code: ProblemCode): Promise<void> {
  await expect(codesOf(attempt)).resolves.toEqual([code]);
}

/** Rethrows all other errors. */
async function codesOf(attempt: Promise<unknown>): Promise<ProblemCode[]> {
  try {
    await attempt;
    return [];
  } catch (error) {
    if (error instanceof Rejected) return error.rejections.map(rejection => rejection.code);
    throw error;
  }
}
