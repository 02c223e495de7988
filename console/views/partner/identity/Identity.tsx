import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconIdBadge2 } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { State, type Tone } from '../../../pieces/State.tsx';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { ENTITY_TYPES } from './entity-types.ts';
import { IdentityForm } from './IdentityForm.tsx';
import { IdentityNotice } from './IdentityNotice.tsx';
import { IDENTITY, type Profile } from './identity-query.ts';

const CONTEXT = { additionalTypenames: ['AffiliateProfile'] };

export default function Identity() {
  const asked = useQuery({ query: IDENTITY, context: CONTEXT });
  return (
    <Asked asked={asked} label="Loading identity">
      {({ affiliateProfile: profile }) =>
        profile === null ? (
          <Card>
            <Empty title="Nothing to submit yet" icon={IconIdBadge2}>
              Affiliates submit their identity and bank details before cash is paid out. Once you
              have enough paying referrals, you can become an affiliate in the overview.
            </Empty>
          </Card>
        ) : (
          <Stack gap="lg">
            <IdentityNotice profile={profile} />
            <ProfileCard profile={profile} />
          </Stack>
        )
      }
    </Asked>
  );
}

const TONES: Record<Profile['kycStatus'], Tone> = {
  KYC_APPROVED: 'good',
  KYC_PENDING: 'waiting',
  KYC_REJECTED: 'bad',
};

function stateOf({ kycStatus, kycSubmittedAt }: Profile): string {
  if (kycStatus === 'KYC_APPROVED') return 'Approved';
  if (kycStatus === 'KYC_REJECTED') return 'Rejected';
  return kycSubmittedAt === null ? 'Not submitted' : 'In review';
}

function ProfileCard({ profile }: { readonly profile: Profile }) {
  const [isEditing, setIsEditing] = useState(false);
  const isOwner = useMay('OWNER');
  const isNew = profile.kycSubmittedAt === null;
  return (
    <Card
      title="Identity and bank details"
      actions={
        <State name={profile.kycStatus} tone={TONES[profile.kycStatus]} label={stateOf(profile)} />
      }
    >
      <Stack gap="lg" align="flex-start">
        {isNew ? (
          <Text size="sm" c="dimmed">
            Nothing submitted yet. You need your name, your tax identifier if you have one, and the
            bank account for payouts.
          </Text>
        ) : (
          <Facts profile={profile} />
        )}
        {isOwner && (
          <Button variant={isNew ? 'filled' : 'default'} onClick={() => setIsEditing(true)}>
            {isNew ? 'Submit details' : 'Resubmit details'}
          </Button>
        )}
      </Stack>
      <Dialog
        opened={isEditing}
        onClose={() => setIsEditing(false)}
        size="lg"
        title="Submit your details"
      >
        <IdentityForm profile={profile} onDone={() => setIsEditing(false)} />
      </Dialog>
    </Card>
  );
}

function Facts({ profile }: { readonly profile: Profile }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Name', profile.fullName],
    ['Entity type', profile.entityType && ENTITY_TYPES[profile.entityType]],
    ['PAN', profile.panMasked && <span className="mono">{profile.panMasked}</span>],
    ['Name on the PAN card', profile.panName],
    ['GSTIN', profile.gstNumber && <span className="mono">{profile.gstNumber}</span>],
    [
      'Bank account',
      <span key="account" className="mono">
        {profile.bankAccountMasked}
      </span>,
    ],
    [
      'IFSC',
      <span key="ifsc" className="mono">
        {profile.bankIfsc}
      </span>,
    ],
    ['Account holder', profile.bankAccountHolderName],
    ['Submitted', <When key="submitted" at={profile.kycSubmittedAt} />],
    ['Approved', <When key="approved" at={profile.kycApprovedAt} never="Not yet" />],
  ];
  return (
    <SimpleGrid component="dl" cols={{ base: 2, md: 4 }} spacing="lg" m={0} w="100%">
      {facts.map(([label, value]) => (
        <div key={label}>
          <Text component="dt" size="xs" c="dimmed">
            {label}
          </Text>
          <Text component="dd" m={0} size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            {value || 'Not given'}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
