import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Figures } from '../../../pieces/Figures.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { problemOf } from '../../../pieces/problem.ts';
import { PAYMENT_TOTALS, type PaymentTotal } from './payments-query.ts';
import type { PaymentVariables } from './use-payment-filter.ts';

/** Any of these changes them, even if no payment was found before. */
const OF_PAYMENTS = { additionalTypenames: ['GatewayPayment', 'GatewayRefund'] };

/** The sums of the successful payments that match the filters, by currency. */
export function PaymentTotals({ variables }: { readonly variables: PaymentVariables }) {
  const asked = useQuery({ query: PAYMENT_TOTALS, variables, context: OF_PAYMENTS });
  const [{ error }, ask] = asked;
  if (error !== undefined) {
    // Not beside sums of earlier filters.
    const { code, detail } = problemOf(error);
    if (code !== 'REPORT_TOO_LARGE')
      return <Problem error={error} onRetry={() => ask({ requestPolicy: 'network-only' })} />;
    return (
      <Text size="sm" c="dimmed" role="status">
        No totals: {detail}
      </Text>
    );
  }
  return (
    <Asked asked={asked} label="Loading the totals">
      {({ gatewayPaymentTotals }) =>
        gatewayPaymentTotals.map(total => <Totals key={total.currencyCode} of={total} />)
      }
    </Asked>
  );
}

function Totals({ of }: { readonly of: PaymentTotal }) {
  return (
    <Figures
      label={`Totals in ${of.currencyCode}`}
      figures={[
        { label: 'Successful payments', value: inCount(of.paymentCount) },
        { label: 'Paid', value: <Money of={of.paid} /> },
        { label: 'Refunded', value: <Money of={of.refunded} /> },
        { label: 'Net', value: <Money of={of.net} />, hint: 'Paid less refunded, before fees' },
      ]}
    />
  );
}
