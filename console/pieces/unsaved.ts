// Forms with unsaved changes. Leaving them asks first.

import { useEffect } from 'react';
import { confirm } from './confirm.tsx';

const forms = new Set<symbol>();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

/** Marks a form as changed, for as long as it is shown. */
export function useUnsaved(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const form = Symbol('form');
    forms.add(form);
    addEventListener('beforeunload', warn);
    return () => {
      forms.delete(form);
      if (forms.size === 0) removeEventListener('beforeunload', warn);
    };
  }, [isChanged]);
}

export const isUnsaved = () => forms.size > 0;

/** Before a form is left because it was saved: its component notices only at its next rendering. */
export function forgetUnsaved(): void {
  forms.clear();
  removeEventListener('beforeunload', warn);
}

/** Runs the action immediately, or after a confirmation if there are unsaved changes. */
export function leaveBy(leave: () => void): void {
  if (!isUnsaved()) {
    leave();
    return;
  }
  confirm({
    title: 'Leave without saving?',
    confirm: 'Discard changes',
    cancel: 'Keep editing',
    isDangerous: true,
    children: 'Your changes on this page aren’t saved.',
    onConfirm: () => {
      forgetUnsaved();
      leave();
    },
  });
}
