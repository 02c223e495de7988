import type { ReactNode } from 'react';
import { Page } from '../../pieces/Page.tsx';
import { SECTIONS } from './rejected-paths.ts';

type RejectedPageProps = { readonly actions?: ReactNode; readonly children: ReactNode };

export function RejectedPage({ actions, children }: RejectedPageProps) {
  return (
    <Page
      title="Rejected events"
      about="Events that were rejected, with the reason. They are stored in full, so they can be corrected and sent again."
      actions={actions}
      sections={SECTIONS}
    >
      {children}
    </Page>
  );
}
