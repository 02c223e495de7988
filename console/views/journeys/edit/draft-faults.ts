// What is wrong with a draft, in the words of its form. The API checks it again.

import { NAMES } from '../../../pieces/in-app-content/content-fields.ts';
import { wordAt } from '../steps/step-words.ts';
import {
  type DraftStep,
  type Duration,
  type JourneyDraft,
  type MessageStep,
  resolved,
  secondsOf,
  type WidgetStep,
} from './journey-draft.ts';
import { isLater } from './step-inputs.ts';

/** The field of a step, or of the journey if `stepId` is empty. */
export type Fault = {
  readonly stepId: string;
  readonly field: string;
  readonly message: string;
};

/** The limits of the API. The end counts as a step. */
const STEPS_MAX = 49;
const MESSAGES_MAX = 20;
const NAME_CHARACTERS_MAX = 256;
const WIDGET_SECONDS_MIN = 60;
const DAYS_MAX = 365;
const SECONDS_MAX = DAYS_MAX * 86_400;
const TOO_LONG = `Enter at most ${DAYS_MAX} days.`;

export function faultsOf(draft: JourneyDraft): Fault[] {
  const { name, steps } = draft;
  const messages = steps.filter(({ kind }) => kind === 'SEND').length;
  const ofJourney = [
    name.trim() === '' && ['name', 'Enter a name.'],
    name.length > NAME_CHARACTERS_MAX && ['name', `Use at most ${NAME_CHARACTERS_MAX} characters.`],
    steps.length === 0 && ['steps', 'Add at least one step.'],
    steps.length > STEPS_MAX && ['steps', `A journey has at most ${STEPS_MAX} steps.`],
    messages > MESSAGES_MAX && ['steps', `A journey has at most ${MESSAGES_MAX} messages.`],
  ];
  const reached = reachedSteps(steps);
  return [
    ...faultsAt('', ofJourney),
    ...steps.flatMap((step, at) =>
      faultsAt(step.id, [
        !reached.has(step.id) && [
          'step',
          'No step leads here. Make an earlier step continue with this one, or remove it.',
        ],
        ...targetsOf(step).map(
          ([field, target]) => !isLater(steps, at, target) && [field, 'Choose a later step.'],
        ),
        ...faultsOfKind(step),
      ]),
    ),
  ];
}

type Found = readonly (false | undefined | readonly string[])[];

function faultsAt(stepId: string, found: Found): Fault[] {
  return found.flatMap(one => (one ? [{ stepId, field: one[0]!, message: one[1]! }] : []));
}

export function targetsOf(step: DraftStep): [field: string, target: string][] {
  return [
    ['next', step.next],
    ...(step.kind === 'WIDGET'
      ? ([
          ['onDismissed', step.onDismissed],
          ['onExpired', step.onExpired],
        ] as [string, string][])
      : []),
  ];
}

function faultsOfKind(step: DraftStep): Found {
  if (step.kind === 'SEND') return faultsOfMessage(step);
  if (step.kind === 'WAIT') return [durationFault(step.duration, 1)];
  return faultsOfWidget(step);
}

function faultsOfMessage({ templateId, channel }: MessageStep): Found {
  if (templateId === '') return [['templateId', 'Choose a template.']];
  return [channel === null && ['channel', 'Choose a channel and a language.']];
}

const CONSENT = /^[a-z][a-z0-9_]{0,63}$/;

function faultsOfWidget({ content, duration, type, settings }: WidgetStep): Found {
  const { image_url: image, action_url: link, options } = content;
  const hasTitle = NAMES.title.some(name => wordAt(content, name)?.trim());
  return [
    !hasTitle && ['title', 'Enter a title.'],
    typeof image === 'string' &&
      !/^https:\/\/\S+$/.test(image) && ['image_url', 'Enter a URL that starts with https://.'],
    typeof link === 'string' && /\s/.test(link) && ['action_url', 'Enter a URL without spaces.'],
    type === 'POLL' &&
      !(Array.isArray(options) && options.length > 1) &&
      !('choices' in content) && ['options', 'Enter at least two answers.'],
    durationFault(duration, WIDGET_SECONDS_MIN),
    settings === undefined
      ? ['settings', 'Set where and to whom the widget is shown.']
      : !CONSENT.test(settings.consentPurpose) && [
          'consentPurpose',
          'Use lowercase letters, digits and underscores, such as marketing.',
        ],
  ];
}

function durationFault(duration: Duration, secondsMin: number): readonly string[] | undefined {
  const { count } = duration;
  if (count === '' || !Number.isInteger(count) || count < 1)
    return ['duration', 'Enter a whole number of at least 1.'];
  const seconds = secondsOf(duration);
  if (seconds < secondsMin) return ['duration', 'Enter at least one minute.'];
  return seconds > SECONDS_MAX ? ['duration', TOO_LONG] : undefined;
}

function reachedSteps(steps: readonly DraftStep[]): Set<string> {
  const reached = new Set(steps.slice(0, 1).map(({ id }) => id));
  steps.forEach((step, at) => {
    if (!reached.has(step.id)) return;
    for (const [, target] of targetsOf(step)) {
      const to = resolved(steps, at, target);
      if (to !== undefined) reached.add(to);
    }
  });
  return reached;
}
