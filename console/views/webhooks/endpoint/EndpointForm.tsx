import { Box, Button, Stack, TextInput } from '@mantine/core';
import { type CSSProperties, type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction, useOnceKey } from '../../../pieces/use-action.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { type ChosenEvents, EventChoice } from './EventChoice.tsx';

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

/** In view however long the list of events is. */
const FOOT: CSSProperties = {
  position: 'sticky',
  bottom: 0,
  zIndex: 1,
  paddingBlock: 'var(--mantine-spacing-xs)',
  background: 'var(--mantine-color-body)',
};

type Typed = {
  readonly url: string;
  readonly description: string;
  readonly events: ChosenEvents;
};

/** No event types are all event types. */
function typedOf(endpoint: Endpoint | undefined): Typed {
  const { url = '', description = '', eventTypes = [] } = endpoint ?? {};
  return { url, description, events: eventTypes.length === 0 ? undefined : eventTypes };
}

function inputOf({ url, description, events = [] }: Typed) {
  return { url, description, eventTypes: [...events] };
}

export function EndpointForm(props: EndpointFormProps) {
  const { endpoint } = props;
  const [typed, setTyped] = useState(() => typedOf(endpoint));
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const { save, renew, isRunning, refusals } = useSave(props);
  const isNoneChosen = typed.events?.length === 0;
  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    setHasSubmitted(false);
    renew();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setHasSubmitted(true);
    if (!isNoneChosen) await save(inputOf(typed));
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
        value={typed.url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        error={refusalAt(refusals, 'url')}
      />
      <TextInput
        label="Name"
        description="For example the system that receives the webhooks."
        value={typed.description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        error={refusalAt(refusals, 'description')}
      />
      <EventChoice
        chosen={typed.events}
        onChange={events => change({ events })}
        error={hasSubmitted && isNoneChosen ? 'Select at least one event.' : undefined}
      />
      <Box style={FOOT}>
        <Button type="submit" fullWidth loading={isRunning}>
          {endpoint === undefined ? 'Create endpoint' : 'Save'}
        </Button>
      </Box>
    </Stack>
  );
}

function useSave({ endpoint, onMade, onChanged }: EndpointFormProps) {
  // The page refetches the endpoint, but the fields are based on the version at the start.
  const [version] = useState(endpoint?.version);
  const { key, renew } = useOnceKey();
  const create = useAction(CREATE, { isFormShowing: true });
  const update = useAction(UPDATE, { isFormShowing: true, done: 'The endpoint was updated.' });
  const save = async (input: ReturnType<typeof inputOf>) => {
    if (endpoint !== undefined && version !== undefined) {
      if (await update.run({ id: endpoint.id, input: { ...input, version } })) onChanged();
      return;
    }
    const made = (await create.run({ input, key }))?.webhookEndpointCreate;
    if (made?.webhookEndpoint && made.secret)
      onMade?.({ id: made.webhookEndpoint.id, secret: made.secret });
    // After a refusal, the next attempt uses a new key.
    else renew();
  };
  const { isRunning, refusals } = endpoint === undefined ? create : update;
  return { save, renew, isRunning, refusals };
}
