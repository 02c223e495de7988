import { useClipboard } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useEffectEvent } from 'react';

/** Long enough to be seen. */
const COPIED_MS = 2_000;

/**
 * Copies text; `isCopied` stays true for a moment. `onCopied` is called once the clipboard has the text. A
 * browser may deny it, and does so on a page without HTTPS: the viewer is then told.
 */
export function useCopy(onCopied: () => void = () => {}) {
  const { copied: isCopied, copy, error } = useClipboard({ timeout: COPIED_MS });
  const tell = useEffectEvent(onCopied);
  useEffect(() => {
    if (isCopied) tell();
  }, [isCopied]);
  useEffect(() => {
    if (error !== null) notifications.show(DENIED);
  }, [error]);
  return { isCopied, copy };
}

const DENIED = {
  title: 'Couldn’t copy',
  message: 'The browser doesn’t allow it here. Select the text and copy it yourself.',
  color: 'red',
};
