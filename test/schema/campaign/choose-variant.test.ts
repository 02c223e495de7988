import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseVariant } from '../../../schema/campaign/choose-variant.ts';

const weighted = (...weights: number[]) => weights.map((weight, index) => ({ id: index, weight }));
const people = Array.from({ length: 20_000 }, (_, number) => `user-${number}`);

test('the variant is the same in every process and release, so that people keep it', () => {
  const campaignId = '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f';
  const found = people
    .slice(0, 32)
    .map(userId => chooseVariant(campaignId, weighted(1, 1, 2), userId)?.id)
    .join('');
  expect(found).toBe('22202222222212222112212000110200');
});

test.each([[[1, 1]], [[1, 9]], [[50, 30, 20]], [[0, 1, 0, 3]], [[0.1, 0.2]]])(
  'people are distributed by the weights %j',
  weights => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const counts = weights.map(() => 0);
    const campaignId = '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f';
    for (const userId of people) {
      const { id } = chooseVariant(campaignId, weighted(...weights), userId)!;
      counts[id] = counts[id]! + 1;
    }
    for (const [index, weight] of weights.entries()) {
      const share = weight / total;
      // Five standard deviations. The IDs are fixed, so the result is the same in every run.
      const tolerance = 5 * Math.sqrt((share * (1 - share)) / people.length);
      expect(Math.abs(counts[index]! / people.length - share)).toBeLessThanOrEqual(tolerance);
    }
  },
);

test('a person’s variant of one campaign is independent of other campaigns', () => {
  const [one, other] = [
    '01938f6e-0000-7000-8000-000000000001',
    '01938f6e-0000-7000-8000-000000000002',
  ];
  const both = people.filter(
    userId =>
      chooseVariant(one, weighted(1, 1), userId)?.id === 0 &&
      chooseVariant(other, weighted(1, 1), userId)?.id === 0,
  );
  expect(Math.abs(both.length / people.length - 1 / 4)).toBeLessThan(0.016);
});

test('a variant of weight 0 is never chosen; without a person, the first one is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
      fc.string(),
      (weights, userId) => {
        const variants = weighted(...weights);
        const chosen = chooseVariant(randomUUID(), variants, userId)!;
        expect(variants).toContain(chosen);
        if (weights.length > 1 && weights.some(weight => weight > 0))
          expect(chosen.weight).toBeGreaterThan(0);
        expect(chooseVariant(randomUUID(), variants, undefined)).toBe(variants[0]);
      },
    ),
  );
  expect(chooseVariant(randomUUID(), [], 'user-1')).toBeUndefined();
});
