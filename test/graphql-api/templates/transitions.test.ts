import { describe, expect, test } from 'vitest';
import {
  isSendableAt,
  nextState,
  TEMPLATE_STATES,
  TEMPLATE_TRIGGERS,
  type TemplateState,
  type TemplateTrigger,
  UPSTREAM_HEALTHS,
} from '../../../graphql-api/templates/transitions.ts';
import { verdictDueMs } from '../../../graphql-api/templates/verdict-due.ts';

/** The transitions in the contract and the design; all others are refused. */
const ALLOWED: Readonly<Partial<Record<`${TemplateState} ${TemplateTrigger}`, TemplateState>>> = {
  'Draft submit': 'Submitted',
  'Submitted cancel': 'Draft',
  'Submitted approve': 'Approved',
  'Submitted reject': 'Rejected',
  'Approved activate': 'Active',
  'Superseded activate': 'Active',
  'Active supersede': 'Superseded',
  'Draft discard': 'Archived',
  'Rejected discard': 'Archived',
  'Draft archive': 'Archived',
  'Submitted archive': 'Archived',
  'Approved archive': 'Archived',
  'Active archive': 'Archived',
  'Superseded archive': 'Archived',
  'Rejected archive': 'Archived',
};

const PAIRS = TEMPLATE_STATES.flatMap(state =>
  TEMPLATE_TRIGGERS.map(trigger => [state, trigger] as const),
);

describe('transitions', () => {
  test.for(PAIRS)('%s, %s', ([state, trigger]) => {
    expect(nextState(state, trigger)).toBe(ALLOWED[`${state} ${trigger}`]);
  });

  test('every transition in the table is tested', () => {
    const walked = PAIRS.map(([state, trigger]) => `${state} ${trigger}`);
    expect(walked).toEqual(expect.arrayContaining(Object.keys(ALLOWED)));
  });
});

describe('sendable versions', () => {
  const now = Date.UTC(2026, 0, 1);
  const sendable = (state: TemplateState, health: (typeof UPSTREAM_HEALTHS)[number], until = 0) =>
    isSendableAt(
      { state, upstreamHealth: health, healthUntil: until === 0 ? null : new Date(until) },
      now,
    );

  test.for(TEMPLATE_STATES)('%s', state => {
    const isApproved = ['Approved', 'Active', 'Superseded'].includes(state);
    expect(UPSTREAM_HEALTHS.map(health => sendable(state, health))).toEqual(
      isApproved ? [true, true, false, false] : [false, false, false, false],
    );
  });

  test('a pause ends at its end, and one without an end lasts', () => {
    expect(sendable('Active', 'PAUSED', now + 1)).toBe(false);
    expect(sendable('Active', 'PAUSED', now)).toBe(true);
    expect(sendable('Active', 'PAUSED')).toBe(false);
  });
});

describe('the deadline of a verdict', () => {
  const friday = Date.UTC(2026, 10, 20, 9);
  const days = (count: number) => friday + count * 24 * 60 * 60 * 1000;

  test('is a day for the messaging app and email', () => {
    expect(verdictDueMs('messaging_app', friday)).toBe(days(1));
    expect(verdictDueMs('email', friday)).toBe(days(1));
  });

  test('is four business days for SMS', () => {
    expect(verdictDueMs('sms', friday)).toBe(days(6));
  });
});
