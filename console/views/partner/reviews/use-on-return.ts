import { useWindowEvent } from '@mantine/hooks';
import type { Ask } from '../../../pieces/use-repeat.ts';

/**
 * Asks again when the window has the focus again: another admin may have decided in the meantime. Not
 * while further pages or selected rows would be lost.
 */
export function useOnReturn(ask: Ask, isInUse: boolean): void {
  useWindowEvent('focus', () => {
    if (!isInUse) ask({ requestPolicy: 'network-only' });
  });
}
