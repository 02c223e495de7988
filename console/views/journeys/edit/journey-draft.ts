// A journey as its form has it: a list of steps, each of which continues with the next one or with a
// later one, so that there can be no cycle. The end is not in the list.

import type { CampaignType } from '../../../pieces/campaign-types.ts';
import type { Channel } from '../../../pieces/channels.tsx';
import type { Journey, Step } from '../journey-query.ts';
import { UNITS } from '../journey-words.ts';
import { inOrder } from '../steps/step-order.ts';

/** The next step in the list. */
export const NEXT = '';
export const END = ' end';
/** As after a click. */
export const SAME = ' same';

/** NEXT, END or the ID of a later step; after a dismissal or expiry also SAME. */
export type Target = string;

export type Unit = (typeof UNITS)[number][0];
/** `count` is empty while it is typed. */
export type Duration = { readonly count: number | ''; readonly unit: Unit };

type Common = { readonly id: string; readonly next: Target };

export type MessageStep = Common & {
  readonly kind: 'SEND';
  /** Empty until one is chosen. */
  readonly templateId: string;
  /** Of the chosen template, also if it is not in the list of templates. */
  readonly templateName: string;
  readonly channel: Channel | null;
  readonly language: string;
  /** Empty for the version that is active when a person enters. */
  readonly versionId: string;
  /** Traits by variable, where the names differ. */
  readonly variables: Readonly<Record<string, string>>;
};

export type WaitStep = Common & { readonly kind: 'WAIT'; readonly duration: Duration };

export type WidgetSettings = {
  readonly name: string;
  readonly surfaces: readonly string[];
  readonly priority: number | '';
  readonly consentPurpose: string;
  readonly isCapExempt: boolean;
};

export type WidgetStep = Common & {
  readonly kind: 'WIDGET';
  readonly type: CampaignType;
  readonly content: Readonly<Record<string, unknown>>;
  readonly duration: Duration;
  readonly onDismissed: Target;
  readonly onExpired: Target;
  /** Undefined for a stored widget: the API does not return them. */
  readonly settings?: WidgetSettings;
};

export type DraftStep = MessageStep | WaitStep | WidgetStep;
export type StepKind = DraftStep['kind'];

export type JourneyDraft = {
  readonly name: string;
  /** Empty if people only enter when they are enrolled. */
  readonly entrySegmentId: string;
  readonly steps: readonly DraftStep[];
  readonly endId: string;
  /** The version of the journey that was opened: 0 for a new one. */
  readonly version: number;
};

export const NEW_SETTINGS: WidgetSettings = {
  name: '',
  surfaces: [],
  priority: 0,
  consentPurpose: 'marketing',
  isCapExempt: false,
};

export function newStep(kind: StepKind, usedIds: readonly string[]): DraftStep {
  const common = { id: freeId(kind, usedIds), next: NEXT };
  switch (kind) {
    case 'SEND':
      return {
        ...common,
        kind,
        templateId: '',
        templateName: '',
        channel: null,
        language: '',
        versionId: '',
        variables: {},
      };
    case 'WAIT':
      return { ...common, kind, duration: { count: 1, unit: 'day' } };
    case 'WIDGET':
      return {
        ...common,
        kind,
        type: 'BANNER',
        content: {},
        duration: { count: 7, unit: 'day' },
        onDismissed: SAME,
        onExpired: SAME,
        settings: NEW_SETTINGS,
      };
  }
}

const ID_WORDS: Readonly<Record<StepKind, string>> = {
  SEND: 'message',
  WAIT: 'wait',
  WIDGET: 'widget',
};

/** People in flight are counted by the ID of their step, so a stored step keeps its ID. */
function freeId(kind: StepKind, usedIds: readonly string[]): string {
  let number = 1;
  while (usedIds.includes(`${ID_WORDS[kind]}-${number}`)) number += 1;
  return `${ID_WORDS[kind]}-${number}`;
}

export const NEW_DRAFT: JourneyDraft = {
  name: '',
  entrySegmentId: '',
  steps: [newStep('SEND', [])],
  endId: 'end',
  version: 0,
};

export function draftOf(journey: Journey): JourneyDraft {
  const ordered = inOrder(journey.nodes);
  const steps = ordered.filter(({ kind }) => kind !== 'END');
  const endIds = ordered.filter(({ kind }) => kind === 'END').map(({ id }) => id);
  const targetOf = (from: number, to: string | null): Target => {
    if (to === null) return SAME;
    const after = steps[from + 1]?.id;
    if (endIds.includes(to)) return after === undefined ? NEXT : END;
    return to === after ? NEXT : to;
  };
  return {
    name: journey.name,
    entrySegmentId: journey.entrySegment?.id ?? '',
    steps: steps.map((step, at) => draftStepOf(step, to => targetOf(at, to))),
    endId: endIds[0] ?? 'end',
    version: journey.version,
  };
}

function draftStepOf(step: Step, targetOf: (to: string | null) => Target): DraftStep {
  const common = { id: step.id, next: targetOf(step.next) };
  switch (step.kind) {
    case 'SEND':
      return {
        ...common,
        kind: 'SEND',
        templateId: step.template?.id ?? '',
        templateName: step.template?.name ?? '',
        channel: step.channel,
        language: step.language ?? '',
        versionId: step.versionId ?? '',
        variables: (step.variables ?? {}) as Record<string, string>,
      };
    case 'WIDGET':
      return {
        ...common,
        kind: 'WIDGET',
        type: step.widgetType ?? 'BANNER',
        content: (step.content ?? {}) as Record<string, unknown>,
        duration: durationOf(step.seconds ?? 0),
        onDismissed: targetOf(step.onDismissed),
        onExpired: targetOf(step.onExpired),
      };
    case 'WAIT':
    case 'END':
      return { ...common, kind: 'WAIT', duration: durationOf(step.seconds ?? 0) };
  }
}

/** In the largest unit that it is a whole number of. */
function durationOf(seconds: number): Duration {
  const [unit, length] = UNITS.find(([, size]) => seconds % size === 0) ?? ['second', 1];
  return { count: seconds / length, unit };
}

export function secondsOf({ count, unit }: Duration): number {
  return Number(count) * (UNITS.find(([name]) => name === unit)?.[1] ?? 1);
}

/** The step that a target leads to; undefined for the end. */
export function resolved(
  steps: readonly DraftStep[],
  at: number,
  target: Target,
): string | undefined {
  const step = steps[at]!;
  if (target === SAME) return resolved(steps, at, step.next);
  if (target === NEXT) return steps[at + 1]?.id;
  return target === END ? undefined : target;
}

export function withoutStep(steps: readonly DraftStep[], id: string): DraftStep[] {
  const freed = (target: Target, otherwise: Target) => (target === id ? otherwise : target);
  return steps
    .filter(step => step.id !== id)
    .map(step => ({
      ...step,
      next: freed(step.next, NEXT),
      ...(step.kind === 'WIDGET' && {
        onDismissed: freed(step.onDismissed, SAME),
        onExpired: freed(step.onExpired, SAME),
      }),
    }));
}
