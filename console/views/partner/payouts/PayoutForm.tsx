import { Button, Divider, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { asTyped, readAmount } from '../../../pieces/decimal.ts';
import { inMoment, inMoney } from '../../../pieces/in-words.ts';
import { Problem } from '../../../pieces/Problem.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import { Calculation } from './Calculation.tsx';
import { type Payable, PREVIEW, type Preview, REQUEST } from './payouts-query.ts';

/** No query is sent during input. */
const TYPING_MS = 250;

type PayoutFormProps = { readonly payable: Payable; readonly onDone: () => void };

/** Shows the preview first and, after confirmation, sends the request, always under one key. */
export function PayoutForm({ payable, onDone }: PayoutFormProps) {
  const [typed, setTyped] = useState('');
  const [isConfirming, setIsConfirming] = useState(false);
  const { key, renew } = useOnceKey();
  const request = useAction(REQUEST, { isFormShowing: true, done: 'Payout requested.' });
  const amount = readAmount(typed);
  const [asked] = useDebouncedValue(amount, TYPING_MS);
  const { preview, error } = usePreview(asked);
  const isReady = amount !== undefined && amount === asked && preview?.refusal === null;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    if (!isConfirming) return setIsConfirming(true);
    if (await request.run({ input: { requestedAmount: amount }, key })) onDone();
  };
  const change = (next: string) => {
    setTyped(next);
    setIsConfirming(false);
    request.forget();
    // Another amount is a separate action.
    renew();
  };
  const currency = payable.wallet.cashBalance.currencyCode;
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={request.refusals} except={['requestedAmount']} />
      {error && <Problem error={error} />}
      <AmountField
        payable={payable}
        typed={typed}
        onChange={change}
        isReadOnly={isConfirming}
        error={refusalAt(request.refusals, 'requestedAmount') ?? reasonOf(preview, payable)}
      />
      {isReady && preview && <Calculation gross={amount} currency={currency} preview={preview} />}
      {isConfirming && <WhereTo profile={payable.affiliateProfile} />}
      <Group justify="flex-end">
        {isConfirming && (
          <Button variant="default" onClick={() => setIsConfirming(false)}>
            Back
          </Button>
        )}
        <Button type="submit" loading={request.isRunning} disabled={!isReady}>
          {isConfirming ? 'Confirm request' : 'Continue'}
        </Button>
      </Group>
    </Stack>
  );
}

function usePreview(amount: string | undefined) {
  const [{ data, error, fetching }] = useQuery({
    query: PREVIEW,
    variables: { amount: amount ?? '' },
    pause: amount === undefined,
  });
  const isKnown = amount !== undefined && !fetching;
  return { preview: isKnown ? data?.payoutPreview : undefined, error };
}

type AmountFieldProps = {
  readonly payable: Payable;
  readonly typed: string;
  readonly onChange: (typed: string) => void;
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
};

function AmountField({ payable, typed, onChange, isReadOnly, error }: AmountFieldProps) {
  const { amount, currencyCode } = payable.payoutPreview.payable;
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <AmountInput
        label="Amount, before tax"
        description={`Up to ${inMoney(amount, currencyCode)} can be paid out now.`}
        flex={1}
        required
        data-autofocus
        readOnly={isReadOnly}
        currency={currencyCode}
        value={typed}
        onChange={onChange}
        error={error}
      />
      <Button
        variant="default"
        mt={46}
        disabled={isReadOnly}
        onClick={() => onChange(asTyped(amount))}
      >
        All
      </Button>
    </Group>
  );
}

function reasonOf(preview: Preview | undefined, payable: Payable): string | undefined {
  const { payoutMinimum: minimum, commissionAgeDays } = payable.referralProgram.terms;
  switch (preview?.refusal) {
    case 'BELOW_MIN_THRESHOLD':
      return `The minimum payout is ${inMoney(minimum.amount, minimum.currencyCode)}.`;
    case 'INSUFFICIENT_BALANCE':
      return 'The amount exceeds your cash balance.';
    case 'NET30_GUARDRAIL':
      return `Cash can be paid out once it is ${commissionAgeDays} days old${preview.nextEligibleAt === null ? '' : `: more becomes payable on ${inMoment(preview.nextEligibleAt)}`}.`;
    case 'KYC_NOT_APPROVED':
      return 'Your identity must be approved first.';
    case null:
    case undefined:
      return undefined;
  }
}

function WhereTo({ profile }: { readonly profile: Payable['affiliateProfile'] }) {
  return (
    <>
      <Divider />
      <Text size="sm">
        The payout goes to{' '}
        {profile?.bankAccountMasked == null ? (
          'the bank account that you submitted'
        ) : (
          <>
            the bank account{' '}
            <Text span fw={600} className="mono">
              {profile.bankAccountMasked}
            </Text>{' '}
            at {profile.bankIfsc}
          </>
        )}{' '}
        once it is reviewed. You can’t cancel it here.
      </Text>
    </>
  );
}
