import { useClipboard } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';

/**
 * Copies text. `onCopied` is called once the clipboard has it, so not in a browser that denies the page its
 * clipboard.
 */
export function useCopy(onCopied: () => void = () => {}) {
  const { copied: isCopied, copy } = useClipboard();
  const tell = useEffectEvent(onCopied);
  useEffect(() => {
    if (isCopied) tell();
  }, [isCopied]);
  return { isCopied, copy };
}
