import type { Scenario } from '../scenario.ts';
import { ABILITIES } from './abilities.ts';
import { GOOD_DAYS } from './good-days.ts';
import { MESSAGES } from './messages.ts';
import { OUTAGES } from './outages.ts';
import { REFUSALS } from './refusals.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...GOOD_DAYS,
  ...REFUSALS,
  ...OUTAGES,
  ...ABILITIES,
  ...MESSAGES,
];
