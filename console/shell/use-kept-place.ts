import { useEffect } from 'react';
import { isOverlayOpen, OVERLAYS } from '../pieces/overlay.ts';
import { heirOf } from '../pieces/use-heir.ts';
import { headingOfPage } from './heading-of-page.ts';

/** The element of the page that had the focus last; undefined if none had, or the viewer left it on purpose. */
let place: HTMLElement | undefined;
/** The same of each dialog and menu; the one that had the focus last is the last. */
const placesAbove = new Map<Element, HTMLElement>();
/** Whether the focus was last above the page. */
let isAbove = false;

/** Where focus goes once the open dialog is closed. Undefined for a navigation, which moves the focus itself. */
export function keepPlace(next: HTMLElement | undefined): void {
  place = next;
  if (next === undefined) isAbove = false;
}

/**
 * Returns the focus when the focused element goes away: a dialog that closes, a row that a refetch removes,
 * an item of a queue, a button that is disabled for a moment. The browser would leave the keyboard at the top
 * of the document. The focus stays in an open dialog; else it returns to the element of the page that had it
 * last, or if that is gone, to the element that takes its place (`useHeir`) or to the heading.
 */
export function useKeptPlace(): void {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      if (!isFocusNowhere()) return;
      // Before the next key, which can be the Tab after an Escape.
      if (isAbove) restore();
      // After `forgetIfLeft`, since leaving a field can change the page.
      else setTimeout(restore);
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
      placesAbove.clear();
    };
  }, []);
}

function remember({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const overlay = target.closest(OVERLAYS);
  isAbove = overlay !== null;
  if (overlay === null) {
    place = target;
    return;
  }
  placesAbove.delete(overlay);
  placesAbove.set(overlay, target);
}

function restore(): void {
  if (!isFocusNowhere()) return;
  const above = lastAbove();
  if (above !== undefined) restoreIn(...above);
  // An overlay that has just opened takes the focus itself.
  else if (!isOverlayOpen()) restoreOnPage();
}

/** The open dialog or menu that had the focus last, and its element that had it. */
function lastAbove(): [Element, HTMLElement] | undefined {
  for (const overlay of placesAbove.keys()) if (!overlay.isConnected) placesAbove.delete(overlay);
  return [...placesAbove].findLast(([overlay]) => overlay.checkVisibility());
}

function restoreIn(overlay: Element, last: HTMLElement): void {
  const next = isShown(last) ? last : (overlay.querySelector('[data-autofocus]') ?? overlay);
  if (next instanceof HTMLElement && !next.matches(':disabled')) next.focus();
}

function restoreOnPage(): void {
  const next = place === undefined || place.isConnected ? undefined : heirOf(place);
  if (next !== undefined) next.focus();
  // Without a scroll, because the viewer is reading further down.
  else if (place === undefined ? isAbove : !isShown(place))
    headingOfPage()?.focus({ preventScroll: true });
  else if (!place?.matches(':disabled')) place?.focus({ preventScroll: true });
}

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
