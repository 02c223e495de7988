import type { ReactNode } from 'react';
import { Page } from '../../pieces/Page.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import { PLATFORM_SECTION, SECTIONS } from './payment-paths.ts';

type PaymentsPageProps = { readonly actions?: ReactNode; readonly children: ReactNode };

/** The common layout of all lists in the view. */
export function PaymentsPage({ actions, children }: PaymentsPageProps) {
  const isAdmin = useMay('PLATFORM_ADMIN');
  return (
    <Page
      title="Payments"
      about="Payments, refunds and disputes from the payment gateway, and the links, orders, plans and vendors that you create there."
      actions={actions}
      sections={isAdmin ? [...SECTIONS, PLATFORM_SECTION] : SECTIONS}
    >
      {children}
    </Page>
  );
}
