// The way back from a person's page to the list as it was: the list gives its filters to the browser's
// history along with the link, so that they survive a reload and the address names only the person.

import { useState } from 'react';

const LIST = '/people';

/** For the links of a list with these filters. */
export function listState(params: URLSearchParams): unknown {
  return { people: String(params) };
}

/** As it was when the page was opened: the filters of the page itself change the address. */
export function useBackToList() {
  const [href] = useState(() => {
    const { people } = (history.state ?? {}) as { readonly people?: unknown };
    return typeof people === 'string' && people !== '' ? `${LIST}?${people}` : LIST;
  });
  return { href, label: 'People' };
}
