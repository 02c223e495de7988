import { type RefObject, useEffect } from 'react';
import { isOverlayOpen, OVERLAYS } from './overlay.ts';

/**
 * For a queue: when the focused element goes away, because its item was decided, the item that is now in its
 * place has the focus. An empty queue leaves the focus to the page.
 */
export function useFocusOnNext(queue: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: HTMLElement | undefined;
    let index = 0;
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.closest(OVERLAYS) !== null) return;
      const box = queue.current;
      const here = box === null ? -1 : itemsOf(box).findIndex(item => item.contains(target));
      if (here !== -1) index = here;
      const isInQueue = here !== -1 || (box?.contains(target) && target.ariaKeyShortcuts !== null);
      last = isInQueue ? target : undefined;
    };
    const observer = new MutationObserver(() => {
      if (last === undefined || last.isConnected || queue.current === null) return;
      if (document.activeElement !== document.body || isOverlayOpen()) return;
      const items = itemsOf(queue.current);
      if (goTo(items[Math.min(index, items.length - 1)])) return;
      last = undefined;
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, [queue]);
}

export const ITEM = 'tbody tr, [data-item]';
const STOP = 'input[type=checkbox], a[href], button:not(:disabled)';

export const itemsOf = (queue: HTMLElement) => [...queue.querySelectorAll<HTMLElement>(ITEM)];

export function goTo(item: HTMLElement | undefined): boolean {
  item?.querySelector<HTMLElement>(STOP)?.focus();
  return item !== undefined;
}
