import { useEffect } from 'react';
import { isOverlayOpen, OVERLAYS } from '../pieces/overlay.ts';
import { nextInQueue } from '../pieces/use-focus-on-next.ts';
import { headingOfPage } from './heading-of-page.ts';

/** The element of the page that had the focus last; undefined if none had, or the viewer left it on purpose. */
let place: HTMLElement | undefined;
/** Whether the focus was last above the page. */
let isAbove = false;

/** Where focus goes once the open dialog is closed. */
export function keepPlace(next: HTMLElement | undefined): void {
  place = next;
  isAbove = false;
}

/**
 * Keeps the focus on the page when the focused element goes away: a dialog whose opener was an item of a
 * menu, a row that a refetch removes, an item of a queue, a button that is disabled for a moment. The browser
 * would leave the keyboard at the top of the document. While a dialog is open, it keeps the focus itself
 * (`useKeptFocus`).
 */
export function useKeptPlace(): void {
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      isAbove = target.closest(OVERLAYS) !== null;
      if (!isAbove) place = target;
    };
    const observer = new MutationObserver(() => {
      // After `forgetIfLeft`, since leaving a field can change the page.
      if (isFocusNowhere()) setTimeout(restore);
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    document.addEventListener('focusin', remember);
    document.addEventListener('focusout', forgetIfLeft);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
      document.removeEventListener('focusout', forgetIfLeft);
      keepPlace(undefined);
    };
  }, []);
}

function restore(): void {
  if (!isFocusNowhere() || isOverlayOpen()) return;
  const next = place === undefined ? undefined : nextInQueueOf(place);
  if (next !== undefined) next.focus();
  // Without a scroll, because the viewer is reading further down.
  else if (place === undefined ? isAbove : !isShown(place))
    headingOfPage()?.focus({ preventScroll: true });
  else if (!place?.matches(':disabled')) place?.focus({ preventScroll: true });
}

const nextInQueueOf = (gone: HTMLElement) => (gone.isConnected ? undefined : nextInQueue(gone));

/** By a click beside everything, or by the key of a phone that closes its keyboard. */
function forgetIfLeft({ target, relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null) return;
  // Only then has an element that goes away gone.
  setTimeout(() => {
    if (place !== target || place === undefined || !isFocusNowhere() || !document.hasFocus())
      return;
    if (isShown(place) && !place.matches(':disabled')) place = undefined;
  });
}

const isFocusNowhere = () => document.activeElement === document.body;

const isShown = (element: HTMLElement) => element.isConnected && element.checkVisibility();
