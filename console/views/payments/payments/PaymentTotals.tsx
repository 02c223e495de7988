import { Text } from '@mantine/core';
import { useQuery } from 'urql';
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
  const [{ data, error }, ask] = asked;
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
  const totals = data?.gatewayPaymentTotals;
  if (totals === undefined) return <NoTotals label="Loading the totals" count="…" />;
  if (totals.length > 0) return totals.map(total => <Totals key={total.currencyCode} of={total} />);
  return Object.keys(variables).length > 0 && <NoTotals label="Totals" count={inCount(0)} />;
}

const NET_HINT = 'Paid less refunded, before fees';

/** Keeps the place, so that the search below stays where it is. */
function NoTotals({ label, count }: { readonly label: string; readonly count: string }) {
  return (
    <Figures
      label={label}
      figures={[
        { label: 'Successful payments', value: count },
        { label: 'Paid', value: '–' },
        { label: 'Refunded', value: '–' },
        { label: 'Net', value: '–', hint: NET_HINT },
      ]}
    />
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
        { label: 'Net', value: <Money of={of.net} />, hint: NET_HINT },
      ]}
    />
  );
}
