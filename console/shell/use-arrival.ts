import { useEffect, useRef, useState } from 'react';
import { isOverlayOpen } from '../pieces/overlay.ts';
import { PRODUCT } from '../pieces/product.ts';
import { useSession } from '../session/SessionProvider.tsx';
import { headingOfPage } from './heading-of-page.ts';
import { keepPlace } from './use-kept-place.ts';

/** The headings of pages that the viewer has arrived at. */
const seen = new WeakSet<Element>();

/**
 * After a navigation, moves focus to the heading of the new page as soon as it is there, so that screen
 * readers read it and the Tab key goes on from it. Returns the title of a section that was opened below
 * the same heading, to be announced.
 */
export function useArrival(location: string): string {
  const [announced, announce] = useState('');
  const { signIns } = useSession();
  /** A page that was loaded keeps the focus that the browser gave it. */
  const isFirst = useRef(signIns === 0);
  useEffect(() => {
    const mayFocus = !isFirst.current;
    isFirst.current = false;
    const heading = headingOfPage();
    if (heading !== undefined && seen.has(heading)) {
      announce(document.title.replace(` · ${PRODUCT}`, ''));
      return undefined;
    }
    announce('');
    return whenThere(mayFocus);
  }, [location]);
  return announced;
}

/** Returns a function that stops waiting. */
function whenThere(mayFocus: boolean): () => void {
  const focused = document.activeElement;
  if (mayFocus) keepPlace(undefined);
  const observer = new MutationObserver(arrive);
  function arrive(): void {
    const heading = headingOfPage();
    if (heading === undefined || seen.has(heading)) return;
    observer.disconnect();
    seen.add(heading);
    const isElsewhere = ![focused, document.body].includes(document.activeElement);
    if (!mayFocus || isElsewhere) return;
    if (isOverlayOpen()) keepPlace(heading);
    else heading.focus();
  }
  observer.observe(document.getElementById('main')!, { childList: true, subtree: true });
  arrive();
  return () => observer.disconnect();
}
