import { Button, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { AmountInput } from '../../../pieces/AmountInput.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { inputOf, type TypedTerms, typedOf } from './terms-input.ts';
import { type Terms, UPDATE } from './terms-query.ts';

type TermsFormProps = { readonly terms: Terms; readonly onDone: () => void };

/** The API's limits. */
const DAYS_MAX = 3_650;
const MONTHS_MAX = 1_200;
const DORMANCY_DAYS_MAX = 36_500;
const PERCENT_MAX = 100;

type Fields = Exclude<keyof TypedTerms, 'payoutMinimum'>;

type Field = {
  readonly name: Fields;
  /** The API's name of it. */
  readonly refused: string;
  readonly label: string;
  readonly min?: number;
  readonly max: number;
  readonly isPercent?: boolean;
};

const FIELDS: readonly Field[] = [
  {
    name: 'creditRate',
    refused: 'creditRateBps',
    label: 'Credits for the first payment',
    max: PERCENT_MAX,
    isPercent: true,
  },
  { name: 'holdDays', refused: 'holdDays', label: 'Days that credits are held', max: DAYS_MAX },
  {
    name: 'commissionRate',
    refused: 'commissionRateBps',
    label: 'Commission of each payment',
    max: PERCENT_MAX,
    isPercent: true,
  },
  {
    name: 'commissionMonths',
    refused: 'commissionMonths',
    label: 'Months with commission',
    max: MONTHS_MAX,
  },
  {
    name: 'commissionAgeDays',
    refused: 'commissionAgeDays',
    label: 'Days before cash is paid out',
    max: DAYS_MAX,
  },
  {
    name: 'dormancyDays',
    refused: 'dormancyDays',
    label: 'Days until a wallet is dormant',
    min: 1,
    max: DORMANCY_DAYS_MAX,
  },
];

/** The terms of one region. */
export function TermsForm({ terms, onDone }: TermsFormProps) {
  const { region, currencyCode } = terms;
  const [typed, setTyped] = useState(() => typedOf(terms));
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The terms were changed.',
    changes: ['ProgramTerms'],
  });
  const change = (part: Partial<TypedTerms>) => setTyped({ ...typed, ...part });
  const input = inputOf(region, typed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (input === undefined) return;
    confirm({
      title: 'Change terms',
      confirm: 'Change terms',
      children: `Rewards for payments in this region follow the new terms from now on. Existing earnings keep theirs.`,
      onConfirm: () => void run({ input }).then(isChanged => isChanged && onDone()),
    });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals
        refusals={refusals}
        except={['payoutMinimum', ...FIELDS.map(({ refused }) => refused)]}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {FIELDS.map(({ name, refused, label, min = 0, max, isPercent = false }) => (
          <NumberInput
            key={name}
            label={label}
            required
            min={min}
            max={max}
            suffix={isPercent ? ' %' : ''}
            allowDecimal={isPercent}
            decimalScale={2}
            value={typed[name]}
            onChange={value => change({ [name]: value })}
            error={refusalAt(refusals, refused)}
          />
        ))}
      </SimpleGrid>
      <AmountInput
        label="Minimum payout"
        required
        currency={currencyCode}
        value={typed.payoutMinimum}
        onChange={payoutMinimum => change({ payoutMinimum })}
        error={refusalAt(refusals, 'payoutMinimum')}
      />
      <Button type="submit" disabled={input === undefined} loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}
