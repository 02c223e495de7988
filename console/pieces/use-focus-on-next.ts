import { type RefObject, useEffect, useRef } from 'react';
import { OVERLAYS } from './overlay.ts';
import { useHeir } from './use-heir.ts';

/**
 * For a queue: when the focused element goes away, because its item was decided, the item that is now in its
 * place has the focus, and once the queue is empty, what it shows instead. For that, this remembers which
 * item had the focus.
 */
export function useFocusOnNext(queue: RefObject<HTMLElement | null>): void {
  const last = useRef<HTMLElement>(undefined);
  const index = useRef(0);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.closest(OVERLAYS) !== null) return;
      const box = queue.current;
      const here = box === null ? -1 : itemsOf(box).findIndex(item => item.contains(target));
      if (here !== -1) index.current = here;
      const isInQueue = here !== -1 || (box?.contains(target) && target.ariaKeyShortcuts !== null);
      last.current = isInQueue ? target : undefined;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [queue]);
  useHeir(gone => {
    if (gone !== last.current || queue.current === null) return undefined;
    const items = itemsOf(queue.current);
    if (items.length === 0) return focusable(queue.current);
    return stopIn(items[Math.min(index.current, items.length - 1)]);
  });
}

export const ITEM = 'tbody tr, [data-item]';
const STOP = 'input[type=checkbox], a[href], button:not(:disabled)';

export const itemsOf = (queue: HTMLElement) => [...queue.querySelectorAll<HTMLElement>(ITEM)];

export const stopIn = (item: HTMLElement | undefined) =>
  item?.querySelector<HTMLElement>(STOP) ?? undefined;

/** Takes the focus, but is no stop of the Tab key. */
export function focusable(element: HTMLElement): HTMLElement {
  element.tabIndex = -1;
  return element;
}

export function goTo(item: HTMLElement | undefined): boolean {
  stopIn(item)?.focus();
  return item !== undefined;
}
