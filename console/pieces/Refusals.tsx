import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Refusal } from './use-action.tsx';

type RefusalsProps = {
  readonly refusals: readonly Refusal[];
  /** Fields that show their own. */
  readonly except?: readonly string[];
};

/** The errors of a form that no field shows. */
export function Refusals({ refusals, except = [] }: RefusalsProps) {
  const shown = refusals.filter(({ field }) => field === undefined || !except.includes(field));
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => showFirst(refusals, alert.current), [refusals]);
  if (shown.length === 0) return null;
  return (
    <Alert ref={alert} role="alert" color="red" variant="outline" title="That was not done">
      {shown.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  );
}

/** The button that was pressed may be far below. */
function showFirst(refusals: readonly Refusal[], alert: HTMLElement | null): void {
  if (refusals.length === 0) return;
  if (alert === null) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  else alert.scrollIntoView({ block: 'nearest' });
}

/** For a field's `error`. */
export function refusalAt(refusals: readonly Refusal[], name: string): string | undefined {
  return refusals.find(({ field }) => field === name)?.message;
}
