import { Modal, type ModalProps } from '@mantine/core';
import { useModals } from '@mantine/modals';
import { useEffect, useRef } from 'react';

/**
 * A form above the page. While it shows a confirmation, Escape closes the confirmation and not the
 * form.
 */
export function Dialog({ onClose, ...props }: ModalProps) {
  const isAsking = useModals().modals.length > 0;
  const hasAsked = useRef(false);
  useEffect(() => {
    if (isAsking) {
      hasAsked.current = true;
      return;
    }
    // The key that closed the confirmation also reaches this dialog.
    const timer = setTimeout(() => {
      hasAsked.current = false;
    });
    return () => clearTimeout(timer);
  }, [isAsking]);
  return (
    <Modal
      {...props}
      onClose={() => {
        if (!hasAsked.current) onClose();
      }}
    />
  );
}
