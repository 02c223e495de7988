import { Button, Stack } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CopyField } from '../../../pieces/CopyField.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { StateWithReason } from '../StateWithReason.tsx';
import { LINK, type PaymentLink } from './links-query.ts';

const CANCEL = graphql(`
  mutation GatewayLinkCancel($id: ID!) {
    gatewayLinkCancel(id: $id) { gatewayLink { id status } userErrors { code message field } }
  }
`);

const BACK = { href: PAYMENTS.links, label: 'Payment links' };
/** The states in which the link can be paid. */
const OPEN = new Set(['ACTIVE', 'PARTIALLY_PAID']);

export default function LinkPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: LINK, variables: { id } });
  const node = asked[0].data?.node;
  const link = node?.__typename === 'GatewayLink' ? node : undefined;
  return (
    <Page
      title={link?.purpose ?? 'Payment link'}
      back={BACK}
      actions={link && OPEN.has(link.status) && <CancelButton link={link} />}
    >
      <Asked asked={asked} label="Reading the link">
        {() =>
          link === undefined ? (
            <Card>
              <Empty title="There is no such link" />
            </Card>
          ) : (
            <Opened link={link} />
          )
        }
      </Asked>
    </Page>
  );
}

function Opened({ link }: { readonly link: PaymentLink }) {
  const { url, status, amount, amountPaid, minimumPartialAmount, notes, linkId } = link;
  return (
    <Stack gap="lg">
      {url !== null && OPEN.has(status) && (
        <Card>
          <CopyField label="Where to pay" value={url} />
        </Card>
      )}
      <Card>
        <Facts
          facts={[
            ['State', <StateWithReason key="state" of={link} />],
            ['Amount', <Money key="amount" of={amount} fw={600} />],
            ['Paid so far', <Money key="paid" of={amountPaid} />],
            ['Least part', minimumPartialAmount && <Money of={minimumPartialAmount} />],
            ['Open until', link.expiresAt && <When at={link.expiresAt} />],
            [
              'Link ID',
              <span key="id" className="mono">
                {linkId}
              </span>,
            ],
            ...notes.map(
              ({ name, value }) =>
                [
                  name,
                  <span key={name} className="mono">
                    {value}
                  </span>,
                ] as const,
            ),
            ['Made', <When key="made" at={link.createdAt} />],
            ['Last change', <When key="change" at={link.updatedAt} isRelative />],
          ]}
        />
      </Card>
    </Stack>
  );
}

function CancelButton({ link }: { readonly link: PaymentLink }) {
  const { run, isRunning } = useAction(CANCEL, { done: 'The link was canceled.' });
  if (!useMay('OWNER')) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconBan size={17} />}
      loading={isRunning}
      onClick={() =>
        confirm({
          title: 'Cancel the link',
          confirm: 'Cancel the link',
          isDangerous: true,
          children: 'Nobody pays it any more. This can’t be undone.',
          onConfirm: () => void run({ id: link.id }),
        })
      }
    >
      Cancel the link
    </Button>
  );
}
