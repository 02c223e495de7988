import { Alert, Anchor, Stack } from '@mantine/core';
import { IconGavel } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { When } from '../../../pieces/When.tsx';
import { ACCOUNT, OF_ACCOUNT } from '../account/account-query.ts';
import { GatewayState } from '../GatewayState.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { type Dispute, isClosed } from './disputes-query.ts';

type DisputeDetailsProps = {
  readonly dispute: Dispute;
  /** On the page of the payment, which needs no link to itself. */
  readonly isOnPayment?: boolean;
};

export function DisputeDetails({ dispute, isOnPayment = false }: DisputeDetailsProps) {
  const { type, status, amount, reason, reasonCode, cfPaymentId, createdAt } = dispute;
  return (
    <Stack>
      {!isClosed(dispute) && <WhereToRespond respondBy={dispute.respondBy} />}
      <Facts
        facts={[
          ['Amount', amount && <Money of={amount} fw={600} />],
          ['State', <GatewayState key="state" name={status} />],
          ['Stage', inPlainWords(type)],
          ['Reason', reason],
          ['Reason code', reasonCode && <span className="mono">{reasonCode}</span>],
          [
            'Payment',
            isOnPayment || cfPaymentId === null ? null : (
              <Anchor
                component={Link}
                href={PAYMENTS.payment(cfPaymentId)}
                underline="hover"
                className="mono"
              >
                {cfPaymentId}
              </Anchor>
            ),
          ],
          ['First recorded', <When key="since" at={createdAt} />],
        ]}
      />
    </Stack>
  );
}

/** As the gateway's documentation of disputes names it. */
const DASHBOARD = 'https://merchant.cashfree.com/auth/login';

/** The API cannot respond to a dispute: only the owner of the merchant account can, at the gateway. */
function WhereToRespond({ respondBy }: Pick<Dispute, 'respondBy'>) {
  const asked = useQuery({ query: ACCOUNT, context: OF_ACCOUNT });
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconGavel />}
      title={
        respondBy === null ? (
          'A response is possible'
        ) : (
          <>
            Respond by <When at={respondBy} isDated />
          </>
        )
      }
    >
      <Asked asked={asked} label="Loading the account">
        {({ gatewayCredentials }) =>
          gatewayCredentials?.onboarding === 'BYOM' ? (
            <span>
              Accept or contest the dispute in{' '}
              <Anchor href={DASHBOARD} target="_blank" rel="noreferrer" inherit>
                the payment gateway’s dashboard
              </Anchor>
              , in “Transactions” under “Disputes”. The decision appears here.
            </span>
          ) : (
            <span>
              The payment is in the platform’s account, so the platform accepts or contests the
              dispute. Send it your evidence.
            </span>
          )
        }
      </Asked>
    </Alert>
  );
}
