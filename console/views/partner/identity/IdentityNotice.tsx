import { Alert, Anchor, Text } from '@mantine/core';
import { IconClockHour4, IconIdBadge2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useMay } from '../../../session/ViewerProvider.tsx';

type IdentityNoticeProps = {
  readonly profile: {
    readonly kycStatus: 'KYC_APPROVED' | 'KYC_PENDING' | 'KYC_REJECTED';
    readonly kycSubmittedAt: string | null;
    readonly rejectionReason: string | null;
  } | null;
};

/** The KYC steps that an affiliate must complete before a payout. Null once the KYC is approved. */
export function IdentityNotice({ profile }: IdentityNoticeProps) {
  const isOwner = useMay('OWNER');
  if (profile === null || profile.kycStatus === 'KYC_APPROVED') return null;
  const { kycStatus, kycSubmittedAt, rejectionReason } = profile;
  if (kycStatus === 'KYC_PENDING' && kycSubmittedAt !== null)
    return (
      <Alert variant="outline" icon={<IconClockHour4 />} title="Your identity is being reviewed">
        Cash can be paid out once it is approved. You don’t need to do anything.
      </Alert>
    );
  const isRejected = kycStatus === 'KYC_REJECTED';
  return (
    <Alert
      color={isRejected ? 'red' : 'yellow'}
      variant="outline"
      icon={<IconIdBadge2 />}
      title={
        isRejected ? 'Your identity was not approved' : 'Submit your identity and bank details'
      }
    >
      <Text size="sm">
        {isRejected
          ? rejectionReason
          : 'We need to verify your name and bank account before paying out cash.'}
      </Text>
      {isOwner && (
        <Anchor component={Link} href="/partner/identity" size="sm" fw={600}>
          {isRejected ? 'Correct details' : 'Submit details'}
        </Anchor>
      )}
    </Alert>
  );
}
