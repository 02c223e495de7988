import { Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql, type VariablesOf } from '../../../graph/graphql.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { MenuDeal } from './menu-deal.ts';
import { PROOF_OPTIONS } from './proof-types.ts';

const SUBMIT = graphql(`
  mutation PartnerDealProof($id: ID!, $input: DealSubmitProofInput!) {
    dealSubmitProof(id: $id, input: $input) {
      deal { id status proofs { submittedAt } }
      userErrors { message field }
    }
  }
`);

type ProofType = VariablesOf<typeof SUBMIT>['input']['proofType'];
type ProofFormProps = { readonly deal: MenuDeal; readonly onDone: () => void };

const SHOWN = ['proofType', 'proofDocumentUrl', 'notes'];

export function ProofForm({ deal: { id }, onDone }: ProofFormProps) {
  const [proofType, setProofType] = useState<ProofType>('PROPOSAL_SENT');
  const [url, setUrl] = useState('');
  const [notes, setNotes] = useState('');
  const { run, isRunning, refusals } = useAction(SUBMIT, {
    isFormShowing: true,
    done: 'Proof submitted.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id, input: { proofType, proofDocumentUrl: url.trim(), notes } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <Select
        label="Proof type"
        required
        allowDeselect={false}
        data={PROOF_OPTIONS}
        value={proofType}
        onChange={value => value !== null && setProofType(value as ProofType)}
        error={refusalAt(refusals, 'proofType')}
      />
      <TextInput
        type="url"
        label="Document URL"
        description="An https URL that platform admins can open."
        placeholder="https://"
        required
        data-autofocus
        value={url}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        error={refusalAt(refusals, 'proofDocumentUrl')}
      />
      <Textarea
        label="Notes"
        autosize
        minRows={2}
        maxRows={8}
        value={notes}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
        error={refusalAt(refusals, 'notes')}
      />
      <Button type="submit" loading={isRunning}>
        Submit proof
      </Button>
    </Stack>
  );
}
