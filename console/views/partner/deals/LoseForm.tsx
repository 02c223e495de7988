import { graphql } from '../../../graph/graphql.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { ReasonForm } from '../ReasonForm.tsx';
import type { MenuDeal } from './menu-deal.ts';

const LOSE = graphql(`
  mutation PartnerDealLose($id: ID!, $input: DealLoseInput!) {
    dealLose(id: $id, input: $input) { deal { id status statusReason } userErrors { message field } }
  }
`);

type LoseFormProps = { readonly deal: MenuDeal; readonly onDone: () => void };

export function LoseForm({ deal: { id, prospectCompanyName }, onDone }: LoseFormProps) {
  const lose = useAction(LOSE, {
    isFormShowing: true,
    done: `${prospectCompanyName} was marked as lost.`,
    changes: ['AgencyDeal'],
  });
  return (
    <ReasonForm
      label="Reason"
      description="Shown to the agency. This can’t be undone."
      confirm="Mark as lost"
      isRunning={lose.isRunning}
      refusals={lose.refusals}
      onSubmit={async reason => {
        if (await lose.run({ id, input: { reason } })) onDone();
      }}
    />
  );
}
