import { expect } from 'vitest';
import { Rejected } from '../../../../graphql-api/platform/rejected.ts';
import type { ProblemCode } from '../../../../schema/values/problem.ts';

/** That it is refused with this code, and no other. */
export async function expectRefusal(attempt: Promise<unknown>, code: ProblemCode): Promise<void> {
  await expect(codesOf(attempt)).resolves.toEqual([code]);
}

/** Whatever else it fails with, is thrown. */
async function codesOf(attempt: Promise<unknown>): Promise<ProblemCode[]> {
  try {
    await attempt;
    return [];
  } catch (error) {
    if (error instanceof Rejected) return error.rejections.map(rejection => rejection.code);
    throw error;
  }
}
