import { z } from 'zod';

export function wholeNumber(min: number, max: number) {
  return z
    .int({ error: 'must be a whole number.' })
    .min(min, { error: `must be at least ${min}.` })
    .max(max, { error: `must be at most ${max}.` });
}

/** How long a replaced key or secret keeps working. */
export function overlap(max: number, byDefault: number) {
  return wholeNumber(0, max)
    .nullish()
    .transform(seconds => seconds ?? byDefault);
}
