import { type RefObject, useRef } from 'react';

const FIELD = 'input:not([type=hidden]), textarea';

type AddedFocus = {
  /** For the element that has the rows as its children, and nothing else. */
  readonly list: RefObject<HTMLDivElement | null>;
  /** Scrolls all of the last row into view and focuses its first field, once the row is there. */
  readonly focusAdded: () => void;
};

/** For a list of fields with a button below it that adds a row. */
export function useAddedFocus(): AddedFocus {
  const list = useRef<HTMLDivElement>(null);
  return {
    list,
    focusAdded() {
      const focus = () => {
        const row = list.current?.lastElementChild;
        row?.scrollIntoView({ block: 'nearest' });
        row?.querySelector<HTMLElement>(FIELD)?.focus();
      };
      // After the row is shown.
      requestAnimationFrame(() => requestAnimationFrame(focus));
    },
  };
}
