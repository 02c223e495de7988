import { Alert } from '@mantine/core';
import type { Refusal } from './use-action.tsx';

type RefusalsProps = {
  readonly refusals: readonly Refusal[];
  /** Fields that show their own. */
  readonly except?: readonly string[];
};

/** Why a form was refused, as far as no field of it says so itself. */
export function Refusals({ refusals, except = [] }: RefusalsProps) {
  const shown = refusals.filter(({ field }) => field === undefined || !except.includes(field));
  if (shown.length === 0) return null;
  return (
    <Alert role="alert" color="red" variant="outline" title="That was not done">
      {shown.map(({ message }) => (
        <div key={message}>{message}</div>
      ))}
    </Alert>
  );
}

/** For a field's `error`. */
export function refusalAt(refusals: readonly Refusal[], name: string): string | undefined {
  return refusals.find(({ field }) => field === name)?.message;
}
