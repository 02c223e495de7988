import { Modal, type ModalProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { useModals } from '@mantine/modals';
import { createContext, useContext, useEffect, useRef } from 'react';
import { confirm } from './confirm.tsx';
import { useTyped } from './use-typed.ts';

/**
 * A form above the page. While it shows a confirmation, Escape closes the confirmation and not the
 * form. Closing it asks first if something was typed, or is shown only now (`ShownOnce`) and was
 * not copied.
 */
export function Dialog({ onClose, children, ...props }: ModalProps) {
  const hasAsked = useHasAsked();
  const box = useRef<HTMLDivElement>(null);
  const isTyped = useTyped(box);
  const close = () => {
    if (hasAsked()) return;
    const question = isTyped()
      ? TYPED
      : box.current?.querySelector('[data-uncopied]')
        ? NOT_COPIED
        : undefined;
    if (question === undefined) onClose();
    else confirm({ ...question, isDangerous: true, onConfirm: onClose });
  };
  return (
    <Modal {...props} onClose={close}>
      <div ref={useMergedRef(box, beginAtFirstField)}>
        <Close value={close}>{children}</Close>
      </div>
    </Modal>
  );
}

const TYPED = {
  title: 'Discard what you typed?',
  confirm: 'Discard',
  cancel: 'Keep editing',
  children: 'It isn’t saved.',
};

const NOT_COPIED = {
  title: 'Close without copying?',
  confirm: 'Close without copying',
  cancel: 'Go back',
  children: 'You haven’t copied it, and it won’t be shown again.',
};

const Close = createContext(() => {});

/** For a button in a dialog that closes it as its X does. */
export const useClose = () => useContext(Close);

/** A field in which one can type opens a list when it is focused, so a combobox is left out. */
const FIELD =
  'textarea, input:not([type=hidden], :disabled, [role=combobox]:not([readonly]), [type=radio]:not(:checked))';

/** The focus begins there and not on the X, unless the form says where. */
function beginAtFirstField(box: HTMLElement | null): void {
  if (box?.querySelector('[data-autofocus]') !== null) return;
  box.querySelector(FIELD)?.setAttribute('data-autofocus', 'true');
}

/** Whether a confirmation is open, or was closed by the very key that also reaches the dialog. */
function useHasAsked(): () => boolean {
  const isAsking = useModals().modals.length > 0;
  const hasAsked = useRef(false);
  useEffect(() => {
    if (isAsking) {
      hasAsked.current = true;
      return undefined;
    }
    const timer = setTimeout(() => {
      hasAsked.current = false;
    });
    return () => clearTimeout(timer);
  }, [isAsking]);
  return () => hasAsked.current;
}
