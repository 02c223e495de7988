import { Anchor, Button, Stack } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { useNewInAddress } from '../../../pieces/use-new-in-address.ts';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { useWaitingAgain } from '../../../pieces/use-waiting.ts';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { EndpointForm } from '../endpoint/EndpointForm.tsx';
import { SecretOnce } from '../endpoint/SecretOnce.tsx';
import { SECTIONS, WEBHOOKS } from '../webhook-paths.ts';
import { EndpointRow } from './EndpointRow.tsx';
import { ENDPOINTS, type ListedEndpoint, OF_ENDPOINTS } from './endpoints-query.ts';

/** An endpoint starts and stops failing by itself. */
const FOLLOW_MS = 10_000;

export function Endpoints() {
  const asked = useQuery({ query: ENDPOINTS, context: OF_ENDPOINTS });
  useRepeat(asked[1], FOLLOW_MS);
  useWaitingAgain(asked[0].data && failingOf(asked[0].data.webhookEndpoints.nodes));
  const isOwner = useMay('OWNER');
  const { isNew, open, close } = useNewInAddress(isOwner);
  const newButton = isOwner && (
    <Button leftSection={<IconPlus size={17} />} onClick={open}>
      New endpoint
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      about={
        <>
          Send events to your own systems as signed HTTP requests.{' '}
          <Anchor href="/docs/webhooks" inherit>
            How to verify webhooks
          </Anchor>
        </>
      }
      actions={newButton}
      sections={SECTIONS}
    >
      <Asked asked={asked} label="Loading endpoints">
        {data => (
          <EndpointList
            endpoints={data.webhookEndpoints.nodes}
            onNew={isOwner ? open : undefined}
          />
        )}
      </Asked>
      <NewEndpoint isOpen={isNew} onClose={close} />
    </Page>
  );
}

function failingOf(endpoints: readonly ListedEndpoint[]): string {
  return endpoints.flatMap(({ id, failingSince }) => (failingSince === null ? [] : [id])).join();
}

type EndpointListProps = {
  readonly endpoints: readonly ListedEndpoint[];
  /** Undefined for viewers who cannot create one. */
  readonly onNew: (() => void) | undefined;
};

function EndpointList({ endpoints, onNew }: EndpointListProps) {
  if (endpoints.length === 0)
    return (
      <Card>
        <Empty title="No endpoints yet" icon={IconWebhook}>
          An endpoint is an https URL of your own. Choose which events it receives, for example
          payments, deliveries or template approvals.
          <br />
          {onNew && (
            <Button mt="md" onClick={onNew}>
              Create your first endpoint
            </Button>
          )}
        </Empty>
      </Card>
    );
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {endpoints.map(endpoint => (
        <li key={endpoint.id}>
          <EndpointRow endpoint={endpoint} />
        </li>
      ))}
    </Stack>
  );
}

type NewEndpointProps = { readonly isOpen: boolean; readonly onClose: () => void };

/** The form, then the secret, which is shown this once; then the endpoint's own page. */
function NewEndpoint({ isOpen, onClose }: NewEndpointProps) {
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const [, go] = useLocation();
  const close = () => {
    onClose();
    setMade(undefined);
    if (made !== undefined) go(WEBHOOKS.endpoint(made.id));
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      size="lg"
      title={made === undefined ? 'New endpoint' : 'Endpoint secret'}
    >
      {made === undefined ? (
        <EndpointForm endpoint={undefined} onMade={setMade} onChanged={close} />
      ) : (
        <SecretOnce secret={made.secret} />
      )}
    </Dialog>
  );
}
