import { type RefObject, useEffect } from 'react';
import { OVERLAYS } from './overlay.ts';

/** For each queue on the page: where focus goes in the place of an element that is gone. */
const heirs = new Set<(gone: HTMLElement) => HTMLElement | undefined>();

/**
 * For a queue: when the focused element goes away, because its item was decided, the item that is now in its
 * place has the focus, and once the queue is empty, what it shows instead. `useKeptPlace` notices that the
 * focus is lost, and moves it; this only remembers which item had the focus, and so knows the next one.
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
    const heirOf = (gone: HTMLElement) => {
      if (gone !== last || queue.current === null) return undefined;
      const items = itemsOf(queue.current);
      if (items.length === 0) {
        queue.current.tabIndex = -1;
        return queue.current;
      }
      return stopIn(items[Math.min(index, items.length - 1)]);
    };
    heirs.add(heirOf);
    document.addEventListener('focusin', remember);
    return () => {
      heirs.delete(heirOf);
      document.removeEventListener('focusin', remember);
    };
  }, [queue]);
}

/** Undefined if the element was in no queue. */
export function nextInQueue(gone: HTMLElement): HTMLElement | undefined {
  return [...heirs].map(heirOf => heirOf(gone)).find(heir => heir !== undefined);
}

export const ITEM = 'tbody tr, [data-item]';
const STOP = 'input[type=checkbox], a[href], button:not(:disabled)';

export const itemsOf = (queue: HTMLElement) => [...queue.querySelectorAll<HTMLElement>(ITEM)];

const stopIn = (item: HTMLElement | undefined) =>
  item?.querySelector<HTMLElement>(STOP) ?? undefined;

export function goTo(item: HTMLElement | undefined): boolean {
  stopIn(item)?.focus();
  return item !== undefined;
}
