import type { ZodError } from 'zod';
import { type Rejection, rejection } from './rejected.ts';

/** Everything that a contract finds wrong, for the caller to mend at once. */
export function contractRejections(error: ZodError): readonly [Rejection, ...Rejection[]] {
  const [first, ...others] = error.issues.map(({ path, message }) =>
    rejection('BAD_USER_INPUT', {
      message: path.length > 0 ? `${path.join('.')}: ${message}` : message,
      ...(path.length > 0 && { field: path.map(String) }),
    }),
  );
  return [first ?? rejection('BAD_USER_INPUT'), ...others];
}
