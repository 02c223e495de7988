// Asks before a form with unsaved changes is left, by a link or by Back and Forward.

import type { AroundNavHandler } from 'wouter';
import { isUnsaved, leaveBy } from '../pieces/unsaved.ts';

/** For the router. Filters in the address do not leave the page. */
export const aroundNav: AroundNavHandler = (navigate, to, options) => {
  if (pathOf(to) === location.pathname) navigate(to, options);
  else leaveBy(() => navigate(to, options));
};

function pathOf(to: string): string {
  return new URL(to, location.href).pathname;
}

let here = location.href;

const remember = () => {
  here = location.href;
};

/** Back and Forward have changed the address before anybody is asked: it is put back until the answer. */
function askOnBack(event: PopStateEvent): void {
  if (!isUnsaved() || pathOf(here) === location.pathname) {
    remember();
    return;
  }
  event.stopImmediatePropagation();
  history.pushState(null, '', here);
  leaveBy(() => history.back());
}

/** Before the router listens. */
export function guardBack(): void {
  addEventListener('popstate', askOnBack, { capture: true });
  // The router announces these.
  addEventListener('pushState', remember);
  addEventListener('replaceState', remember);
}
