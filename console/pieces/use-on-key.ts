import { useEffect, useRef } from 'react';
import { isOverlayOpen } from './overlay.ts';

const TYPED_IN = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]';

/**
 * Calls it for keys that are pressed outside of fields, menus and dialogs, without Ctrl, Alt or Meta. A
 * letter is lower case, also with Shift or Caps Lock. It returns whether the key meant something.
 */
export function useOnKey(onKey: (key: string) => boolean): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.matches(TYPED_IN)) return;
      if (isOverlayOpen()) return;
      if (latest.current(event.key.toLowerCase())) event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
