import { Button, Stack } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inPercent, inPlainWords } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { When } from '../../../pieces/When.tsx';
import { RegionForm } from './RegionForm.tsx';
import { TermsForm } from './TermsForm.tsx';
import { TERMS, type Terms } from './terms-query.ts';

const CONTEXT = { additionalTypenames: ['ProgramTerms'] };
const BPS = 10_000;

/** What partners earn, by region. */
export default function ProgramTerms() {
  const asked = useQuery({ query: TERMS, context: CONTEXT });
  return (
    <Asked asked={asked} label="Loading program terms">
      {({ programTerms }) => <Regions all={programTerms} />}
    </Asked>
  );
}

function Regions({ all }: { readonly all: readonly Terms[] }) {
  const [edited, setEdited] = useState<Terms>();
  const [isAssigning, setIsAssigning] = useState(false);
  const close = () => setEdited(undefined);
  if (all.length === 0)
    return (
      <Card>
        <Empty title="No program terms" />
      </Card>
    );
  return (
    <Stack gap="lg">
      {all.map(terms => (
        <TermsCard key={terms.region} terms={terms} onEdit={() => setEdited(terms)} />
      ))}
      <Card title="Organization region">
        <Button variant="default" onClick={() => setIsAssigning(true)}>
          Set organization region
        </Button>
      </Card>
      <Dialog
        opened={edited !== undefined}
        onClose={close}
        size="lg"
        title={edited && `Terms of ${inPlainWords(edited.region)}`}
      >
        {edited && <TermsForm terms={edited} onDone={close} />}
      </Dialog>
      <Dialog
        opened={isAssigning}
        onClose={() => setIsAssigning(false)}
        title="Organization region"
      >
        <RegionForm
          regions={all.map(({ region }) => region)}
          onDone={() => setIsAssigning(false)}
        />
      </Dialog>
    </Stack>
  );
}

type TermsCardProps = { readonly terms: Terms; readonly onEdit: () => void };

function TermsCard({ terms, onEdit }: TermsCardProps) {
  const region = inPlainWords(terms.region);
  return (
    <Card
      title={`${region}, ${terms.currencyCode}`}
      actions={
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          aria-label={`Edit the terms of ${region}`}
          onClick={onEdit}
        >
          Edit
        </Button>
      }
    >
      <Facts
        facts={[
          [
            'Credits',
            `${inPercent(terms.creditRateBps / BPS)} of the first payment, held for ${inDays(terms.holdDays)}`,
          ],
          [
            'Commission',
            `${inPercent(terms.commissionRateBps / BPS)} of each payment for ${inCount(terms.commissionMonths)} months`,
          ],
          [
            'Payout',
            <span key="payout">
              from <Money of={terms.payoutMinimum} />, after {inDays(terms.commissionAgeDays)}
            </span>,
          ],
          ['Dormant', `after ${inDays(terms.dormancyDays)} without activity`],
          ['Updated', <When key="updated" at={terms.updatedAt} isRelative />],
        ]}
      />
    </Card>
  );
}

function inDays(count: number): string {
  return count === 1 ? '1 day' : `${inCount(count)} days`;
}
