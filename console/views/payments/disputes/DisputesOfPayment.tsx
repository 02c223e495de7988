import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { DisputeDetails } from './DisputeDetails.tsx';
import { DISPUTES } from './disputes-query.ts';

/** Nothing, for almost all payments. */
export function DisputesOfPayment({ paymentId }: { readonly paymentId: string }) {
  const asked = useQuery({ query: DISPUTES, variables: { paymentId } });
  const [{ data, error }] = asked;
  if (data?.gatewayDisputes.nodes.length === 0 && error === undefined) return null;
  return (
    <Asked asked={asked} label="Loading the disputes">
      {({ gatewayDisputes: { nodes } }) =>
        nodes.map(dispute => (
          <Card key={dispute.disputeId} title={`Dispute ${dispute.disputeId}`}>
            <DisputeDetails dispute={dispute} isOnPayment />
          </Card>
        ))
      }
    </Asked>
  );
}
