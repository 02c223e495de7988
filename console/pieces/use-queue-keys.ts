import { type RefObject, useRef } from 'react';
import { useOnKey } from './use-on-key.ts';

const ITEM = 'tbody tr, [data-item]';
const STOP = 'input[type=checkbox], a[href], button:not(:disabled)';

/**
 * For the `ref` of a queue: J and K go to the next and the previous item, X selects one, A and R press the
 * buttons with these `aria-keyshortcuts`, of the item or of the bar for selected items.
 */
export function useQueueKeys<Box extends HTMLElement>(): RefObject<Box | null> {
  const queue = useRef<Box>(null);
  useOnKey(key => {
    const box = queue.current;
    return box !== null && press(box, key.toLowerCase());
  });
  return queue;
}

function press(box: HTMLElement, key: string): boolean {
  const items = [...box.querySelectorAll<HTMLElement>(ITEM)];
  const here = items.findIndex(item => item.contains(document.activeElement));
  switch (key) {
    case 'j':
      return goTo(items[here + 1]);
    case 'k':
      return goTo(items[here === -1 ? items.length - 1 : here - 1]);
    case 'x':
      return click(checkboxOf(items[here]));
    case 'a':
    case 'r':
      return decide(box, items[here], key);
    default:
      return false;
  }
}

function goTo(item: HTMLElement | undefined): boolean {
  item?.querySelector<HTMLElement>(STOP)?.focus();
  return item !== undefined;
}

const checkboxOf = (item: HTMLElement | undefined) =>
  item?.querySelector<HTMLInputElement>('input[type=checkbox]');

function click(control: HTMLElement | null | undefined): boolean {
  control?.click();
  return Boolean(control);
}

function decide(box: HTMLElement, item: HTMLElement | undefined, key: string): boolean {
  const button = `[aria-keyshortcuts="${key}"]`;
  const own = item?.querySelector<HTMLElement>(button);
  if (own) return click(own);
  const pressInBar = () => click(box.querySelector<HTMLElement>(button));
  if (pressInBar()) return true;
  // The bar has its buttons once something is selected.
  const checkbox = checkboxOf(item);
  if (!checkbox || checkbox.checked) return false;
  checkbox.click();
  setTimeout(pressInBar);
  return true;
}
