import { type RefCallback, useCallback } from 'react';

/**
 * For the `ref` of a box: keeps focus in it when the focused element goes away or was disabled for a
 * moment, since the browser would give the focus to the page behind the dialog. The page itself is kept by the
 * frame (`useKeptPlace`).
 */
export function useKeptFocus(): RefCallback<HTMLElement> {
  return useCallback(box => (box === null ? undefined : keepFocusIn(box)), []);
}

function keepFocusIn(box: HTMLElement): () => void {
  let last: HTMLElement | undefined;
  const remember = ({ target }: FocusEvent) => {
    last = target as HTMLElement;
  };
  const observer = new MutationObserver(() => {
    if (last === undefined || document.activeElement !== document.body) return;
    if (!last.isConnected) (box.querySelector<HTMLElement>('[data-autofocus]') ?? box).focus();
    else if (!last.matches(':disabled')) last.focus();
  });
  observer.observe(box, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  box.addEventListener('focusin', remember);
  return () => {
    observer.disconnect();
    box.removeEventListener('focusin', remember);
  };
}
