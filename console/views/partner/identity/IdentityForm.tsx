import { Alert, Button, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { type Refusal, useAction } from '../../../pieces/use-action.tsx';
import { ENTITY_OPTIONS } from './entity-types.ts';
import { type EntityType, type Profile, SUBMIT } from './identity-query.ts';

type IdentityFormProps = { readonly profile: Profile; readonly onDone: () => void };

type Field = {
  readonly name: keyof Typed;
  readonly label: string;
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly isCode?: boolean;
};

type Typed = {
  readonly fullName: string;
  readonly panNumber: string;
  readonly panName: string;
  readonly gstNumber: string;
  readonly bankAccountNumber: string;
  readonly bankIfsc: string;
  readonly bankAccountHolderName: string;
};

const WHO: readonly Field[] = [
  { name: 'fullName', label: 'Full name', isRequired: true },
  {
    name: 'panNumber',
    label: 'PAN',
    description: 'Without a PAN, more tax is deducted.',
    isCode: true,
  },
  {
    name: 'panName',
    label: 'Name on the PAN card',
    description: 'In Latin letters, exactly as on the card.',
  },
  {
    name: 'gstNumber',
    label: 'GSTIN',
    description: 'With a GSTIN, no tax is deducted.',
    isCode: true,
  },
];
const BANK: readonly Field[] = [
  { name: 'bankAccountHolderName', label: 'Account holder', isRequired: true },
  {
    name: 'bankAccountNumber',
    label: 'Account number',
    description: '9 to 18 digits.',
    isRequired: true,
    isCode: true,
  },
  {
    name: 'bankIfsc',
    label: 'IFSC',
    description: 'The branch code, such as HDFC0001234.',
    isRequired: true,
    isCode: true,
  },
];
const SHOWN = [...WHO, ...BANK].map(({ name }) => name as string).concat('entityType');

/** All fields must be entered again, because the console receives only masked values. */
export function IdentityForm({ profile, onDone }: IdentityFormProps) {
  const [typed, setTyped] = useState(() => knownOf(profile));
  const [entityType, setEntityType] = useState(profile.entityType);
  const { run, isRunning, refusals } = useAction(SUBMIT, {
    isFormShowing: true,
    done: 'Submitted for review.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (entityType !== null && (await run({ input: inputOf(typed, entityType) }))) onDone();
  };
  const inputs = { typed, onChange: setTyped, refusals };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      {profile.kycStatus === 'KYC_APPROVED' && (
        <Alert variant="outline" color="yellow" title="You are already approved">
          No payouts are sent to the bank until the new details are reviewed.
        </Alert>
      )}
      <Refusals refusals={refusals} except={SHOWN} />
      <Select
        label="Entity type"
        required
        searchable
        data={ENTITY_OPTIONS}
        value={entityType}
        onChange={value => setEntityType(value as EntityType | null)}
        error={refusalAt(refusals, 'entityType')}
      />
      <Inputs fields={WHO} {...inputs} />
      <Text fw={600} size="sm" mt="xs">
        Bank account for payouts
      </Text>
      <Inputs fields={BANK} {...inputs} />
      <Text size="xs" c="dimmed">
        Numbers are stored encrypted and only shown masked.
      </Text>
      <Button type="submit" loading={isRunning} disabled={entityType === null}>
        Submit for review
      </Button>
    </Stack>
  );
}

type InputsProps = {
  readonly fields: readonly Field[];
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
  readonly refusals: readonly Refusal[];
};

function Inputs({ fields, typed, onChange, refusals }: InputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {fields.map(({ name, label, description, isRequired = false, isCode = false }) => (
        <TextInput
          key={name}
          label={label}
          description={description}
          required={isRequired}
          autoComplete="off"
          {...(isCode && { className: 'mono', spellCheck: false })}
          value={typed[name]}
          onChange={({ currentTarget }) => onChange({ ...typed, [name]: currentTarget.value })}
          error={refusalAt(refusals, name)}
        />
      ))}
    </SimpleGrid>
  );
}

function knownOf(profile: Profile): Typed {
  return {
    fullName: profile.fullName ?? '',
    panNumber: '',
    panName: profile.panName ?? '',
    gstNumber: profile.gstNumber ?? '',
    bankAccountNumber: '',
    bankIfsc: profile.bankIfsc ?? '',
    bankAccountHolderName: profile.bankAccountHolderName ?? '',
  };
}

function inputOf(typed: Typed, entityType: EntityType) {
  const optional = (text: string) => (text.trim() === '' ? null : text.trim());
  return {
    entityType,
    fullName: typed.fullName,
    panNumber: optional(typed.panNumber),
    panName: optional(typed.panName),
    gstNumber: optional(typed.gstNumber),
    bankAccountNumber: typed.bankAccountNumber,
    bankIfsc: typed.bankIfsc,
    bankAccountHolderName: typed.bankAccountHolderName,
  };
}
