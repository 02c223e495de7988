import { useDebouncedCallback } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import type { Codec } from './address.ts';

/** Whether the input has paused. */
const TYPING_MS = 400;

type Insight<Settings> = {
  /** As they are in the form. */
  readonly settings: Settings;
  /** As they are in the address: the report that is shown. */
  readonly asked: Settings;
  readonly change: (part: Partial<Settings>) => void;
  readonly link: string;
  /** The end of ranges such as the last 7 days. */
  readonly nowMs: number;
  readonly refresh: () => void;
};

/**
 * The settings of a report, kept in the address, so that a link shares them. The address follows the
 * form when the input pauses.
 */
export function useInsight<Settings>({ read, write }: Codec<Settings>): Insight<Settings> {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState<{ of: string; value: Settings }>();
  const [nowMs, setNowMs] = useState(Date.now);
  const search = params.toString();
  const asked = useMemo(() => read(new URLSearchParams(search)), [read, search]);
  const settings = typed?.of === search ? typed.value : asked;
  const searchOf = (value: Settings) => new URLSearchParams(write(value).map(pair => [...pair]));
  const showSoon = useDebouncedCallback(
    (value: Settings) => setParams(searchOf(value), { replace: true }),
    TYPING_MS,
  );
  return {
    settings,
    asked,
    change(part) {
      const value = { ...settings, ...part };
      setTyped({ of: search, value });
      showSoon(value);
    },
    link: `${location.origin}${location.pathname}?${searchOf(settings)}`,
    nowMs,
    refresh: () => setNowMs(Date.now()),
  };
}
