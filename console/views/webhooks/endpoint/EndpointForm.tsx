import { Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { EventChoice } from './EventChoice.tsx';

const CREATE = graphql(`
  mutation WebhookEndpointCreate($input: WebhookEndpointCreateInput!, $key: String!) {
    webhookEndpointCreate(input: $input) @idempotent(key: $key) {
      webhookEndpoint { id }
      secret
      userErrors { message field }
    }
  }
`);

const UPDATE = graphql(`
  mutation WebhookEndpointUpdate($id: ID!, $input: WebhookEndpointUpdateInput!) {
    webhookEndpointUpdate(id: $id, input: $input) {
      webhookEndpoint { id url description eventTypes version }
      userErrors { message field }
    }
  }
`);

type EndpointFormProps = {
  /** Undefined for a new one. */
  readonly endpoint: Endpoint | undefined;
  readonly onMade?: (made: { id: string; secret: string }) => void;
  readonly onChanged: () => void;
};

const SHOWN = ['url', 'description'];

export function EndpointForm({ endpoint, onMade, onChanged }: EndpointFormProps) {
  const [input, setInput] = useState({
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    eventTypes: endpoint?.eventTypes ?? [],
  });
  const { key, renew } = useOnceKey();
  const create = useAction(CREATE, { isFormShowing: true });
  const update = useAction(UPDATE, { isFormShowing: true, done: 'The endpoint was updated.' });
  const { isRunning, refusals } = endpoint === undefined ? create : update;
  const change = (part: Partial<typeof input>) => {
    setInput({ ...input, ...part });
    renew();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (endpoint !== undefined) {
      const { id, version } = endpoint;
      if (await update.run({ id, input: { ...input, version } })) onChanged();
      return;
    }
    const made = (await create.run({ input, key }))?.webhookEndpointCreate;
    if (made?.webhookEndpoint && made.secret)
      onMade?.({ id: made.webhookEndpoint.id, secret: made.secret });
    // After a refusal, the next attempt uses a new key.
    else renew();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="URL"
        description="A public https URL that receives the webhooks."
        placeholder="https://shop.example/webhooks"
        type="url"
        required
        data-autofocus
        value={input.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={refusalAt(refusals, 'url')}
      />
      <TextInput
        label="Name"
        description="For example the system that receives the webhooks."
        value={input.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        error={refusalAt(refusals, 'description')}
      />
      <EventChoice
        chosen={input.eventTypes}
        onChange={eventTypes => change({ eventTypes: [...eventTypes] })}
      />
      <Button type="submit" loading={isRunning}>
        {endpoint === undefined ? 'Create endpoint' : 'Save'}
      </Button>
    </Stack>
  );
}
