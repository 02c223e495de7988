import { Button, Select, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { confirm } from '../../../pieces/confirm.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { type ChosenOrganization, OrganizationSelect } from '../OrganizationSelect.tsx';
import { REGION_SET } from './terms-query.ts';

type RegionFormProps = { readonly regions: readonly string[]; readonly onDone: () => void };

/** Which terms apply to an organization. */
export function RegionForm({ regions, onDone }: RegionFormProps) {
  const [organization, setOrganization] = useState<ChosenOrganization | null>(null);
  const [region, setRegion] = useState<string | null>(null);
  const { run, isRunning, refusals } = useAction(REGION_SET, {
    isFormShowing: true,
    done: 'The region was set.',
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (organization === null || region === null) return;
    confirm({
      title: 'Set region',
      confirm: 'Set region',
      children: `Rewards of “${organization.name}” follow the terms of ${inPlainWords(region)}, in its currency. The region is fixed once the organization has a wallet.`,
      onConfirm: () =>
        void run({ input: { organizationId: organization.id, region } }).then(
          isSet => isSet && onDone(),
        ),
    });
  };
  return (
    <Stack component="form" onSubmit={submit}>
      <Refusals refusals={refusals} except={['organizationId', 'region']} />
      <OrganizationSelect
        isRequired
        value={organization}
        onChange={setOrganization}
        error={refusalAt(refusals, 'organizationId')}
      />
      <Select
        label="Region"
        required
        data={regions.map(value => ({ value, label: inPlainWords(value) }))}
        value={region}
        onChange={setRegion}
        error={refusalAt(refusals, 'region')}
      />
      <Button type="submit" loading={isRunning}>
        Set region
      </Button>
    </Stack>
  );
}
