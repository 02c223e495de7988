import { type RefObject, useEffect, useRef } from 'react';

type Field = HTMLInputElement | HTMLTextAreaElement;

/** A date is left out: it is soon chosen again. What is typed in a list only filters it. */
const TEXT_FIELD =
  'textarea, input:not([type=checkbox], [type=radio], [type^=date], [readonly], .mantine-Select-input)';

/**
 * Notices text typed into the box, whatever forms are in it: the returned function
 * says whether a field that is still there has other text than when it was entered first.
 */
export function useTyped(box: RefObject<HTMLElement | null>): () => boolean {
  const first = useRef(new Map<Field, string>());
  useEffect(() => {
    const enter = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || !box.current?.contains(target)) return;
      if (!target.matches(TEXT_FIELD)) return;
      const field = target as Field;
      if (!first.current.has(field)) first.current.set(field, field.value);
    };
    document.addEventListener('focusin', enter);
    return () => document.removeEventListener('focusin', enter);
  }, [box]);
  return () =>
    [...first.current].some(([field, text]) => field.isConnected && field.value !== text);
}
