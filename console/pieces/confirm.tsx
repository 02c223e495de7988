import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

type Question = {
  readonly title: string;
  /** The effect, the affected object, and whether the action can be undone. */
  readonly children: ReactNode;
  /** The label of the action, such as "Revoke key". */
  readonly confirm: string;
  /** The label of the way back. */
  readonly cancel?: string;
  readonly isDangerous?: boolean;
  readonly onConfirm: () => void;
};

/** The first focus: on the X of the dialog, Enter would cancel unnoticed. */
const CANCEL = { variant: 'default', 'data-autofocus': true };

/** Before what moves money, reaches people, or can't be undone. */
export function confirm(question: Question) {
  const { title, children, confirm, cancel = 'Cancel', isDangerous = false, onConfirm } = question;
  modals.openConfirmModal({
    title,
    centered: true,
    children: (
      <Text component="div" size="sm">
        {children}
      </Text>
    ),
    labels: { confirm, cancel },
    cancelProps: CANCEL,
    confirmProps: isDangerous ? { color: 'red.9' } : {},
    onConfirm,
  });
}
