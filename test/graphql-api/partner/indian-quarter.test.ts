import { describe, expect, test } from 'vitest';
import {
  financialYearName,
  indianDay,
  quarterAt,
  quarterDays,
  quarterStartMs,
} from '../../../graphql-api/partner/indian-quarter.ts';

describe('a quarter', () => {
  test.for([
    ['2026-03-31T18:29:59.999Z', 2025, 4, '2025-26', '2026-01-01', '2026-03-31'],
    ['2026-03-31T18:30:00.000Z', 2026, 1, '2026-27', '2026-04-01', '2026-06-30'],
    ['2026-06-30T18:30:00.000Z', 2026, 2, '2026-27', '2026-07-01', '2026-09-30'],
    ['2026-09-30T18:30:00.000Z', 2026, 3, '2026-27', '2026-10-01', '2026-12-31'],
    ['2026-12-31T18:29:59.999Z', 2026, 3, '2026-27', '2026-10-01', '2026-12-31'],
    ['2026-12-31T18:30:00.000Z', 2026, 4, '2026-27', '2027-01-01', '2027-03-31'],
    ['2100-03-01T00:00:00.000Z', 2099, 4, '2099-00', '2100-01-01', '2100-03-31'],
  ] as const)('at %s is %i/%i', ([at, financialYear, quarter, name, startsOn, endsOn]) => {
    const found = quarterAt(Date.parse(at));
    expect(found).toEqual({ financialYear, quarter });
    expect(quarterDays(found)).toEqual({ startsOn, endsOn });
    expect(financialYearName(found)).toBe(name);
  });

  test('begins where the previous one ends, at midnight in India', () => {
    for (let index = 0; index < 40; index++) {
      const quarter = { financialYear: 2020 + Math.floor(index / 4), quarter: (index % 4) + 1 };
      const startMs = quarterStartMs(quarter);
      expect(quarterAt(startMs)).toEqual(quarter);
      expect(quarterAt(startMs - 1)).not.toEqual(quarter);
      expect(new Date(startMs).toISOString()).toMatch(/T18:30:00\.000Z$/);
    }
  });
});

test('a day of India begins at half past six in the evening, UTC', () => {
  expect(indianDay(Date.parse('2026-05-01T18:29:59Z'))).toBe('2026-05-01');
  expect(indianDay(Date.parse('2026-05-01T18:30:00Z'))).toBe('2026-05-02');
});
