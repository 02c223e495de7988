import { Button, Stack, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { CopyField } from '../../pieces/CopyField.tsx';
import { useMay, useViewer } from '../../session/ViewerProvider.tsx';
import { FirstEvent } from './FirstEvent.tsx';
import { SETUP, SETUP_CONTEXT, type Setup } from './home-query.ts';
import { Step } from './Step.tsx';

/** The steps from a new workspace to its first campaign. Not shown once they are completed or hidden. */
export function Checklist() {
  const { workspace } = useViewer();
  const asked = useQuery({ query: SETUP, context: SETUP_CONTEXT });
  const [isHidden, setIsHidden] = useLocalStorage({
    key: `console-checklist-hidden-${workspace?.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  if (isHidden) return null;
  return (
    <Asked asked={asked} label="Loading the checklist">
      {setup =>
        !isDone(setup) && (
          <Card
            title="Get started"
            actions={
              <Button variant="subtle" size="compact-sm" onClick={() => setIsHidden(true)}>
                Hide
              </Button>
            }
          >
            <Steps setup={setup} />
          </Card>
        )
      }
    </Asked>
  );
}

/** Keys that were never used may be of apps that are being built: the first event is what counts. */
function hasEvents({ sdkKeys }: Setup): boolean {
  return sdkKeys.nodes.some(({ lastUsedAt }) => lastUsedAt !== null);
}

function isDone(setup: Setup): boolean {
  const { campaigns, webhookEndpoints } = setup;
  return hasEvents(setup) && campaigns.nodes.length > 0 && webhookEndpoints.nodes.length > 0;
}

function Steps({ setup }: { readonly setup: Setup }) {
  const { sdkKeys, campaigns, webhookEndpoints } = setup;
  const isOwner = useMay('OWNER');
  const key = sdkKeys.nodes.find(({ isActive }) => isActive);
  return (
    <Stack component="ol" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
      <Step title="Create a workspace" isDone />
      <Step title="Create an SDK key" isDone={key !== undefined}>
        {key === undefined ? (
          <ByOwner isOwner={isOwner} label="Create key" href="/keys?new" />
        ) : (
          <CopyField label="SDK key" value={key.writeKey} />
        )}
      </Step>
      <FirstEvent writeKey={key?.writeKey} hasBeen={hasEvents(setup)} />
      <Step title="Create a campaign" isDone={campaigns.nodes.length > 0}>
        {campaigns.nodes.length === 0 && (
          <ByOwner isOwner label="New campaign" href="/campaigns/new" />
        )}
      </Step>
      <Step title="Receive webhooks" isDone={webhookEndpoints.nodes.length > 0}>
        {webhookEndpoints.nodes.length === 0 && (
          <ByOwner isOwner={isOwner} label="New endpoint" href="/webhooks?new" />
        )}
      </Step>
    </Stack>
  );
}

type ByOwnerProps = { readonly isOwner: boolean; readonly label: string; readonly href: string };

function ByOwner({ isOwner, label, href }: ByOwnerProps) {
  if (!isOwner)
    return (
      <Text size="sm" c="dimmed">
        An owner can do this.
      </Text>
    );
  return (
    <Button component={Link} href={href} variant="default" size="xs" w="fit-content">
      {label}
    </Button>
  );
}
