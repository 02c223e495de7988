// The steps of a journey in words.

import { IconFlag, IconHourglass, IconSend, IconSpeakerphone } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { CHANNELS, inLanguage } from '../../../pieces/channels.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import type { Step } from '../journey-query.ts';
import { inWait } from '../journey-words.ts';
import { waysFrom } from './step-order.ts';

type Kind = {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
};

export const KINDS: Readonly<Record<Step['kind'], Kind>> = {
  SEND: { label: 'Message', icon: IconSend },
  WIDGET: { label: 'Widget', icon: IconSpeakerphone },
  WAIT: { label: 'Wait', icon: IconHourglass },
  END: { label: 'End', icon: IconFlag },
};

export function titleOf({ kind, template, seconds, content, widgetType }: Step): string {
  switch (kind) {
    case 'SEND':
      return template?.name ?? 'Unknown template';
    case 'WIDGET':
      return wordAt(content, 'title') ?? inPlainWords(widgetType ?? 'WIDGET');
    case 'WAIT':
      return inWait(seconds ?? 0);
    case 'END':
      return 'People leave the journey';
  }
}

/** Undefined if there is nothing to add to the title. */
export function detailOf(step: Step): string | undefined {
  if (step.kind === 'WIDGET')
    return `${inPlainWords(step.widgetType ?? 'WIDGET')}, for up to ${inWait(step.seconds ?? 0)}`;
  if (step.kind !== 'SEND' || step.channel === null) return undefined;
  return `${CHANNELS[step.channel].label}, ${inLanguage(step.language ?? '')}`;
}

export type VersionForEntry = Pick<
  NonNullable<Step['template']>['approvedVersions'][number],
  'id' | 'number'
> & {
  /** The journey names this version; otherwise it is the active one. */
  readonly isFixed: boolean;
};

/** The version that a person who enters now is pinned to; undefined if the active one is missing. */
export function versionForEntry({
  template,
  channel,
  language,
  versionId,
}: Step): VersionForEntry | undefined {
  const ofStep = (template?.approvedVersions ?? []).filter(
    version => version.channel === channel && version.language === language,
  );
  const fixed = ofStep.find(({ id }) => id === versionId);
  const found = fixed ?? ofStep.find(({ state }) => state === 'ACTIVE');
  return found && { id: found.id, number: found.number, isFixed: found === fixed };
}

/** For screen readers: the lines of the drawing. */
export function nextInWords(step: Step, numbers: ReadonlyMap<string, number>): string {
  const ways = waysFrom(step);
  return ways
    .map(({ to, outcomes }) => {
      const when = outcomes.length === 0 ? 'Then' : `If ${outcomes.join(' or ')}`;
      return `${when}: step ${numbers.get(to) ?? ''}.`;
    })
    .join(' ');
}

export function wordAt(content: unknown, name: string): string | undefined {
  if (content === null || typeof content !== 'object') return undefined;
  const value = (content as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
