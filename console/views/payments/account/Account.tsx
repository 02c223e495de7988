import { Alert, Button, Stack } from '@mantine/core';
import { IconAlertTriangle, IconBuildingStore } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { State } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PaymentsPage } from '../PaymentsPage.tsx';
import { AccountActions } from './AccountActions.tsx';
import { AccountForm } from './AccountForm.tsx';
import { ACCOUNT, type Credentials, OF_ACCOUNT } from './account-query.ts';
import { SecretList } from './SecretList.tsx';

/** The merchant account of the workspace, and its credentials at the gateway. */
export default function Account() {
  const asked = useQuery({ query: ACCOUNT, context: OF_ACCOUNT });
  const credentials = asked[0].data?.gatewayCredentials ?? undefined;
  const [isSetting, setIsSetting] = useState(false);
  const close = () => setIsSetting(false);
  return (
    <PaymentsPage actions={credentials && <AccountActions onChange={() => setIsSetting(true)} />}>
      <Asked asked={asked} label="Reading the account">
        {({ gatewayCredentials }) =>
          gatewayCredentials ? (
            <Known credentials={gatewayCredentials} />
          ) : (
            <Managed onSet={() => setIsSetting(true)} />
          )
        }
      </Asked>
      <Dialog
        opened={isSetting}
        onClose={close}
        size="lg"
        title={credentials ? 'Change the account' : 'Use an account of your own'}
      >
        <AccountForm credentials={credentials} onDone={close} />
      </Dialog>
    </PaymentsPage>
  );
}

function Managed({ onSet }: { readonly onSet: () => void }) {
  const isOwner = useMay('OWNER');
  return (
    <Card>
      <Empty title="You are paid through the platform’s account" icon={IconBuildingStore}>
        <Stack align="center">
          Nothing needs to be set. A workspace with a merchant account of its own can use that
          instead.
          {isOwner && <Button onClick={onSet}>Use an account of your own</Button>}
        </Stack>
      </Empty>
    </Card>
  );
}

function Known({ credentials }: { readonly credentials: Credentials }) {
  const { onboarding, mode, appId, checkResult, checkedAt, updatedAt } = credentials;
  const isOwn = onboarding === 'BYOM';
  return (
    <Stack gap="lg">
      <SilentLoss credentials={credentials} />
      <Card title="Merchant account">
        <Facts
          facts={[
            ['Whose', isOwn ? 'Your own' : 'The platform’s'],
            [
              'Mode',
              <State
                key="mode"
                name={mode}
                tone={mode === 'PRODUCTION' ? 'good' : 'info'}
                label={
                  mode === 'PRODUCTION' ? 'Production: money moves' : 'Sandbox: no money moves'
                }
              />,
            ],
            ['App ID', appId && <span className="mono">{appId}</span>],
            [
              'Tried',
              checkedAt && (
                <>
                  {checkResult === 'OK' ? 'the gateway knows them' : checkResult},{' '}
                  <When at={checkedAt} isInSentence />
                </>
              ),
            ],
            ['Last change', <When key="change" at={updatedAt} />],
          ]}
        />
      </Card>
      {isOwn && (
        <>
          <SecretList credentials={credentials} />
          <Card title="Webhooks of the gateway">
            <CopyField
              label="Give the gateway this address"
              value={`${location.origin}${credentials.webhookPath}`}
            />
          </Card>
        </>
      )}
    </Stack>
  );
}

/** The gateway events that are refused because their signature cannot be verified. */
function SilentLoss({ credentials }: { readonly credentials: Credentials }) {
  const { warnings, webhookSecret } = credentials;
  if (warnings.length === 0) return null;
  const isAll = warnings.some(({ code }) => code === 'NO_WEBHOOK_SECRET');
  const lost = webhookSecret === null ? 'most events' : 'events about abandoned payment links';
  return (
    <Alert
      color="yellow"
      variant="outline"
      icon={<IconAlertTriangle />}
      title={isAll ? 'No webhook secret is set' : 'One of the two webhook secrets is missing'}
    >
      Without it, {isAll ? 'all that the gateway tells' : lost} can’t be told from a forgery, and is
      refused.
    </Alert>
  );
}
