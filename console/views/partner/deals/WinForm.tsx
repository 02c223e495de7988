import { Button, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { asTyped, readAmount } from '../../../pieces/decimal.ts';
import { inMoney } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { MenuDeal } from './menu-deal.ts';

const WIN = graphql(`
  mutation PartnerDealWin($id: ID!, $input: DealWinInput!) {
    dealWin(id: $id, input: $input) {
      deal { id status actualDealValue { amount currencyCode } }
      userErrors { message field }
    }
  }
`);

type WinFormProps = { readonly deal: MenuDeal; readonly onDone: () => void };

export function WinForm({ deal, onDone }: WinFormProps) {
  const { id, prospectCompanyName, estimatedDealValue: estimate } = deal;
  const [typed, setTyped] = useState(() => asTyped(estimate.amount));
  const { run, isRunning, refusals } = useAction(WIN, {
    isFormShowing: true,
    done: `${prospectCompanyName} was marked as won.`,
    // Also after a refusal: another admin may have decided.
    changes: ['AgencyDeal'],
  });
  const amount = readAmount(typed);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (amount !== undefined && (await run({ id, input: { actualDealValue: amount } }))) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['actualDealValue']} />
      <AmountInput
        label="Final value"
        description={`Estimated at ${inMoney(estimate.amount, estimate.currencyCode)}.`}
        required
        data-autofocus
        currency={estimate.currencyCode}
        value={typed}
        onChange={setTyped}
        error={refusalAt(refusals, 'actualDealValue')}
      />
      <Text size="sm" c="dimmed">
        The agency sees this immediately. This can’t be undone.
      </Text>
      <Button type="submit" loading={isRunning} disabled={amount === undefined}>
        Mark as won
      </Button>
    </Stack>
  );
}
