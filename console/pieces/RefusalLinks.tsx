import { Alert, Anchor } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { Refusal } from './use-action.tsx';

/** Why an action was refused, in words of the form that corrects it. */
export type Reason = {
  readonly message: string;
  /** Of the field to correct; undefined if none is to blame. */
  readonly link?: { readonly href: string; readonly label: string } | undefined;
};

type RefusalLinksProps = {
  readonly title: string;
  readonly refusals: readonly Refusal[];
  readonly reasons: readonly Reason[];
};

/** Refusals of an action on a page without the form. Takes focus. */
export function RefusalLinks({ title, refusals, reasons }: RefusalLinksProps) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => alert.current?.focus(), [refusals]);
  if (reasons.length === 0) return null;
  return (
    <Alert ref={alert} role="alert" tabIndex={-1} color="red" variant="outline" title={title}>
      {reasons.map(({ message, link }) => (
        <div key={`${link?.href} ${message}`}>
          {link && (
            <>
              <Anchor component={Link} href={link.href} inherit>
                {link.label}
              </Anchor>
              {': '}
            </>
          )}
          {message}
        </div>
      ))}
    </Alert>
  );
}
