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

type RejectIdentitiesProps = {
  readonly ids: readonly string[];
  /** For the notification. */
  readonly names: string;
  readonly onDone: () => void;
};

export function RejectIdentities({ ids, names, onDone }: RejectIdentitiesProps) {
  const reject = useAction(REJECT, {
    isFormShowing: true,
    done: `${names} ${ids.length === 1 ? 'was' : 'were'} rejected.`,
    changes: ['KycSubmission'],
  });
  return (
    <ReasonForm
      label="What to correct"
      description="Shown to the affiliate. No cash is paid out until a new submission is approved."
      confirm="Reject"
      isRunning={reject.isRunning}
      refusals={reject.refusals}
      onSubmit={async reason => {
        if (await reject.run({ ids: [...ids], reason })) onDone();
      }}
    />
  );
}
