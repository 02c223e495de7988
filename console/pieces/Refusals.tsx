import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Refusal } from './use-action.tsx';

type RefusalsProps = {
  readonly refusals: readonly Refusal[];
  /** Fields that show their own. */
  readonly except?: readonly string[];
};

/** The errors of a form that no field shows. Takes focus, else the first marked field does. */
export function Refusals({ refusals, except = [] }: RefusalsProps) {
  const shown = refusals.filter(refusal => !except.some(name => isAt(refusal, name)));
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => focusFirst(refusals, alert.current), [refusals]);
  if (shown.length === 0) return null;
  return (
    <Alert
      ref={alert}
      role="alert"
      tabIndex={-1}
      color="red"
      variant="outline"
      title="Couldn’t do that"
    >
      {shown.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  );
}

/** The button that was pressed may be far below. */
function focusFirst(refusals: readonly Refusal[], alert: HTMLElement | null): void {
  if (refusals.length === 0) return;
  const first = alert ?? document.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]');
  first?.focus();
}

/** For a field's `error`. A field with parts shows what is wrong with any of them. */
export function refusalAt(refusals: readonly Refusal[], name: string): string | undefined {
  return refusals.find(refusal => isAt(refusal, name))?.message;
}

/** Of `input.variants.0.weight`, at `variants`: which of a list it is, is in the message. */
function isAt({ path = [] }: Refusal, name: string): boolean {
  const names = path[0] === 'input' ? path.slice(1) : path;
  const index = names.findIndex(part => /^\d+$/.test(part));
  return (index === -1 ? names : names.slice(0, index)).includes(name);
}
