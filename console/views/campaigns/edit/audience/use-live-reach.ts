import { useDebouncedValue } from '@mantine/hooks';
import { useReach } from '../../Reach.tsx';

type LiveAudience = {
  /** Undefined while it is not complete. */
  readonly audience: unknown;
  readonly consentPurpose: string;
};

/** Whether the input has paused: each count reads thousands of contacts. */
const TYPING_MS = 600;

/** How many people are in the audience while it is edited. All that use it share one query. */
export function useLiveReach({ audience, consentPurpose }: LiveAudience) {
  const isMissing = audience === undefined || consentPurpose.trim() === '';
  const text = JSON.stringify([audience ?? null, consentPurpose.trim()]);
  const [settled] = useDebouncedValue(text, TYPING_MS);
  const [asked, purpose] = JSON.parse(settled) as [unknown, string];
  const { size, error, isAsking } = useReach(
    { audience: asked, consentPurpose: purpose },
    isMissing || purpose === '',
  );
  return {
    isMissing,
    /** Whether the size is that of the input. */
    isCurrent: !isMissing && settled === text && !isAsking,
    isEverybody: asked === null,
    purpose,
    size,
    error,
  };
}
