import { graphql } from '../../../graph/graphql.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import { ReasonForm } from '../ReasonForm.tsx';

const REJECT = graphql(`
  mutation PartnerReviewReject($ids: [ID!]!, $reason: String!) {
    kycReject(input: { ids: $ids, reason: $reason }) {
      kycSubmissions { id status rejectionReason }
      userErrors { message field }
    }
  }
`);

type RejectIdentitiesProps = { readonly ids: readonly string[]; readonly onDone: () => void };

export function RejectIdentities({ ids, onDone }: RejectIdentitiesProps) {
  const reject = useAction(REJECT, { isFormShowing: true, done: 'Rejected.' });
  return (
    <ReasonForm
      label="What to mend"
      description="The affiliate reads this. No cash is paid out until a new one is approved."
      confirm="Reject"
      isRunning={reject.isRunning}
      refusals={reject.refusals}
      onSubmit={async reason => {
        if (await reject.run({ ids: [...ids], reason })) onDone();
      }}
    />
  );
}
