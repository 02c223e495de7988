import { Button, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { LimitInput, limitOf } from '../LimitInput.tsx';
import { type Cell, UPDATE } from './cells-query.ts';

type CellLimitProps = { readonly cell: Cell; readonly onDone: () => void };

/** The ingress limit of the organizations in a cell that have none of their own. */
export function CellLimit({ cell, onDone }: CellLimitProps) {
  const [limit, setLimit] = useState<number | string>(cell.ingressEventsPerMinute ?? '');
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The limit was changed.',
    changes: ['PlatformOrganization'],
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = { ingressEventsPerMinute: limitOf(limit) };
    if (await run({ id: cell.id, input })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['ingressEventsPerMinute']} />
      <LimitInput
        description="Applies to each organization in this cell without its own limit. Leave empty for no limit. Above the limit, ingest responds with 429. Changes apply within a second."
        value={limit}
        onChange={setLimit}
        error={refusalAt(refusals, 'ingressEventsPerMinute')}
      />
      <Button type="submit" loading={isRunning}>
        Save
      </Button>
    </Stack>
  );
}
