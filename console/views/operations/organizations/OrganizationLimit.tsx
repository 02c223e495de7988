import { Button, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { LimitInput, limitOf } from '../LimitInput.tsx';
import { LIMIT, type Organization } from './organizations-query.ts';

type OrganizationLimitProps = {
  readonly organization: Organization;
  readonly onDone: () => void;
};

/** The ingress limit of one organization. */
export function OrganizationLimit({ organization, onDone }: OrganizationLimitProps) {
  const { id, ownIngressEventsPerMinute } = organization;
  const [limit, setLimit] = useState<number | string>(ownIngressEventsPerMinute ?? '');
  const { run, isRunning, refusals } = useAction(LIMIT, {
    isFormShowing: true,
    done: 'The limit was changed.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ input: { organizationId: id, eventsPerMinute: limitOf(limit) } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['eventsPerMinute']} />
      <LimitInput
        description="Across all of its SDK keys. Leave empty for the default of its cells. Above the limit, ingest responds with 429. Changes apply within a second."
        value={limit}
        onChange={setLimit}
        error={refusalAt(refusals, 'eventsPerMinute')}
      />
      <Button type="submit" loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}
