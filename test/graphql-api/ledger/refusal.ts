import { expect } from 'vitest';
import { Rejected } from '../../../graphql-api/rejected.ts';
import type { ProblemCode } from '../../../schema/values/problem.ts';

/** That it is refused with this code, and no other. */
export async function expectRefusal(attempt: Promise<unknown>, code: ProblemCode): Promise<void> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error !== undefined && !(error instanceof Rejected)) throw error;
  expect(error?.rejections.map(rejection => rejection.code)).toEqual([code]);
}
