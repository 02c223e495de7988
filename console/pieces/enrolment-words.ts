// The passage of a person through a journey, in words.

import type { Tone } from './State.tsx';

export const ENROLMENT_STATES = ['READY', 'WAITING', 'COMPLETED', 'EXITED'] as const;
export type EnrolmentState = (typeof ENROLMENT_STATES)[number];

export const ENROLMENT_TONES: Readonly<Record<EnrolmentState, Tone>> = {
  READY: 'info',
  WAITING: 'info',
  COMPLETED: 'good',
  EXITED: 'quiet',
};

type Version = {
  readonly number: number;
  readonly template: { readonly name: string } | null;
};

type Held<V> = { readonly pinned: V | null; readonly override: V | null };

/** The version that the step uses for this person, unless it cannot be sent. */
export function versionOf<V>({ pinned, override }: Held<V>): V | null {
  return override ?? pinned;
}

/** For example "Welcome v2, Reminder v1": each template once, unless its steps use different versions. */
export function versionsInWords(versions: readonly Held<Version>[]): string[] {
  const named = versions.map(held => {
    const version = versionOf(held);
    return version === null
      ? 'Unknown version'
      : `${version.template?.name ?? ''} v${version.number}`;
  });
  return [...new Set(named)];
}
