import { useWindowEvent } from '@mantine/hooks';

type Ask = (options: { requestPolicy: 'network-only' }) => void;

/** Asks again when the window has the focus again: another admin may have decided in the meantime. */
export function useOnReturn(ask: Ask): void {
  useWindowEvent('focus', () => ask({ requestPolicy: 'network-only' }));
}
