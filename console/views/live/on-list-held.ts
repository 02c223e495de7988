// Whether a user is at the list: with the pointer, or with the keyboard.

import type { FocusEvent, PointerEvent } from 'react';

type Handlers = {
  readonly onPointerEnter: (event: PointerEvent) => void;
  readonly onPointerLeave: () => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: (event: FocusEvent) => void;
};

/** The event handlers of the list. A finger that scrolls the page does not hold it. */
export function onListHeld(onHeld: (isHeld: boolean) => void): Handlers {
  let [isOver, hasFocus] = [false, false];
  const change = () => onHeld(isOver || hasFocus);
  return {
    onPointerEnter: ({ pointerType }) => {
      isOver = pointerType === 'mouse';
      change();
    },
    onPointerLeave: () => {
      isOver = false;
      change();
    },
    onFocus: ({ target }) => {
      // Not after a click: the focus stays on the row, though the user has left the list.
      hasFocus = target.matches(':focus-visible');
      change();
    },
    onBlur: ({ currentTarget, relatedTarget }) => {
      hasFocus &&= currentTarget.contains(relatedTarget);
      change();
    },
  };
}
