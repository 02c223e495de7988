import { useEffect, useRef, useState } from 'react';
import { isOverlayOpen } from '../pieces/overlay.ts';
import { PRODUCT } from '../pieces/product.ts';

/** The headings of pages that the viewer has arrived at. */
const seen = new WeakSet<Element>();

/**
 * After a navigation, moves focus to the heading of the new page as soon as it is there, so that screen
 * readers read it and the Tab key goes on from it. Returns the title of a section that was opened below
 * the same heading, to be announced.
 */
export function useArrival(location: string): string {
  const [announced, announce] = useState('');
  const isFirst = useRef(true);
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

function headingOfPage(): HTMLElement | undefined {
  const headings = document.querySelectorAll<HTMLElement>('#main h1');
  // A page that is replaced by one that still loads is hidden until then.
  return [...headings].find(heading => heading.checkVisibility());
}

/** Returns a function that stops waiting. */
function whenThere(mayFocus: boolean): () => void {
  const focused = document.activeElement;
  const observer = new MutationObserver(arrive);
  function arrive(): void {
    const heading = headingOfPage();
    if (heading === undefined || seen.has(heading)) return;
    observer.disconnect();
    seen.add(heading);
    const isElsewhere = ![focused, document.body].includes(document.activeElement);
    if (mayFocus && !isElsewhere && !isOverlayOpen()) heading.focus();
  }
  observer.observe(document.getElementById('main')!, { childList: true, subtree: true });
  arrive();
  return () => observer.disconnect();
}
