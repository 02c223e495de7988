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
        Cash is paid out once it is approved. There is nothing for you to do.
      </Alert>
    );
  const isRejected = kycStatus === 'KYC_REJECTED';
  return (
    <Alert
      color={isRejected ? 'red' : 'yellow'}
      variant="outline"
      icon={<IconIdBadge2 />}
      title={isRejected ? 'Your identity was not approved' : 'Say who you are'}
    >
      <Text size="sm">
        {isRejected ? rejectionReason : 'Cash is paid out only to whom we know: name and bank.'}
      </Text>
      {isOwner && (
        <Anchor component={Link} href="/partner/identity" size="sm" fw={600}>
          {isRejected ? 'Mend it' : 'Submit it'}
        </Anchor>
      )}
    </Alert>
  );
}
