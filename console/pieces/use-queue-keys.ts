import { type RefObject, useRef } from 'react';
import { goTo, ITEM, itemsOf, useFocusOnNext } from './use-focus-on-next.ts';
import { useOnKey } from './use-on-key.ts';

/**
 * For the `ref` of a queue: J and K go to the next and the previous item, X selects one, A and R press the
 * buttons with these `aria-keyshortcuts`, of the bar if items are selected, else of the item. Without a
 * focused item, X, A and R only go to the first. When the focused item leaves the queue, the next one has
 * the focus.
 */
export function useQueueKeys<Box extends HTMLElement>(): RefObject<Box | null> {
  const queue = useRef<Box>(null);
  useOnKey(key => {
    const box = queue.current;
    return box !== null && press(box, key);
  });
  useFocusOnNext(queue);
  return queue;
}

function press(box: HTMLElement, key: string): boolean {
  const items = itemsOf(box);
  const here = items.findIndex(item => item.contains(document.activeElement));
  switch (key) {
    case 'j':
      return goTo(items[here + 1]);
    case 'k':
      return goTo(items[here === -1 ? items.length - 1 : here - 1]);
    case 'x':
      return here === -1 ? goTo(items[0]) : click(checkboxOf(items[here]));
    case 'a':
    case 'r':
      return decide(box, items, here, key);
    default:
      return false;
  }
}

const checkboxOf = (item: HTMLElement | undefined) =>
  item?.querySelector<HTMLInputElement>('input[type=checkbox]');

function click(control: HTMLElement | null | undefined): boolean {
  control?.click();
  return Boolean(control);
}

function decide(
  box: HTMLElement,
  items: readonly HTMLElement[],
  here: number,
  key: string,
): boolean {
  const buttons = [...box.querySelectorAll<HTMLElement>(`[aria-keyshortcuts="${key}"]`)];
  // The bar has its buttons once something is selected.
  const inBar = buttons.find(button => button.closest(ITEM) === null);
  if (inBar) return click(inBar);
  if (here === -1) return buttons.length > 0 && goTo(items[0]);
  return click(buttons.find(button => items[here]!.contains(button)));
}
