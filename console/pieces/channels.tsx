// The channels' names and signs, in the order in which they are shown.

import { IconDeviceMobileMessage, IconMail, IconMessageCircle } from '@tabler/icons-react';
import type { ComponentType } from 'react';

export type Channel = 'MESSAGING_APP' | 'SMS' | 'EMAIL';

type Shown = {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
};

export const CHANNELS: Readonly<Record<Channel, Shown>> = {
  MESSAGING_APP: { label: 'Messaging app', icon: IconMessageCircle },
  SMS: { label: 'SMS', icon: IconDeviceMobileMessage },
  EMAIL: { label: 'Email', icon: IconMail },
};

export const CHANNEL_ORDER = Object.keys(CHANNELS) as readonly Channel[];

const languages = new Intl.DisplayNames(undefined, { type: 'language', fallback: 'code' });

/** `pt_BR` as "Brazilian Portuguese"; an unknown code unchanged. */
export function inLanguage(code: string): string {
  try {
    return languages.of(code.replaceAll('_', '-')) ?? code;
  } catch {
    return code;
  }
}
