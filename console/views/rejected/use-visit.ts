// The list of rejected events as it was when one of them was opened. Going back to it leads to the
// same events and the same place, not to newer events and the top of the page.

import { type RefObject, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { type EventAddress, eventAddress } from '../../pieces/sent-event/rejected-event-href.ts';
import { REJECTED } from './rejected-paths.ts';

export type Visit = {
  /** The event that the viewer comes back from; undefined if they come from elsewhere. */
  readonly event: EventAddress | undefined;
  /** The end of ranges such as the last hour, as the list showed them last; at first, the present. */
  readonly nowMs: RefObject<number>;
};

/** For a component that stays while its lists and events come and go. */
export function useVisit(): Visit {
  const [openedAtMs] = useState(() => Date.now());
  const nowMs = useRef(openedAtMs);
  const [path] = useLocation();
  const here = `${path}?${useSearch()}`;
  const [places, setPlaces] = useState({ here, before: '' });
  if (places.here !== here) setPlaces({ here, before: places.here });
  return { event: eventAt(places.before), nowMs };
}

function eventAt(place: string): EventAddress | undefined {
  const [path, search] = place.split('?');
  return path === REJECTED.event ? eventAddress(new URLSearchParams(search)) : undefined;
}
