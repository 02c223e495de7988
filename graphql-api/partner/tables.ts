import type { Generated } from 'kysely';
import type { TablesOf } from '../platform/database/kysely.ts';
import { AffiliateProfileSchema } from './affiliate.entity.ts';
import { AgencyProfileSchema } from './agency.entity.ts';
import { TaxCertificateSchema } from './certificate.entity.ts';
import { TaxCertificateLineSchema } from './certificate-line.entity.ts';
import { ConversionSchema } from './conversion.entity.ts';
import { AgencyDealSchema } from './deal.entity.ts';
import { DealProofSchema } from './deal-proof.entity.ts';
import { EarningSchema } from './earning.entity.ts';
import { KycSubmissionSchema } from './kyc.entity.ts';
import { LedgerTransactionSchema } from './ledger/transaction.entity.ts';
import type { PlatformAccount, WalletAccount } from './ledger/wallet.ts';
import { PartnerProfileSchema } from './partner-profile.entity.ts';
import { PayoutSchema } from './payout.entity.ts';
import { ProgramTermsSchema } from './program-terms.entity.ts';
import { RedemptionSchema } from './redemption.entity.ts';
import { RefereeRelationSchema } from './referral.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const PARTNER_ENTITIES = [
  AffiliateProfileSchema,
  AgencyDealSchema,
  AgencyProfileSchema,
  ConversionSchema,
  DealProofSchema,
  EarningSchema,
  KycSubmissionSchema,
  LedgerTransactionSchema,
  PartnerProfileSchema,
  PayoutSchema,
  ProgramTermsSchema,
  RedemptionSchema,
  RefereeRelationSchema,
  TaxCertificateLineSchema,
  TaxCertificateSchema,
] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof PARTNER_ENTITIES> {
    readonly wallets: {
      readonly id: string;
      readonly organizationId: string;
      readonly region: string;
      readonly currency: string;
      readonly lastActivityAt: Date;
    };
    /** The accounts of wallets, and those of the platform, which have no wallet and no balance. */
    readonly ledger_accounts: {
      readonly id: bigint;
      readonly walletId: string | null;
      readonly organizationId: string | null;
      readonly kind: WalletAccount | PlatformAccount;
      readonly balanceMinor: bigint | null;
    };
    /** Without a kind, the invoice is named by a reservation but not registered yet. */
    readonly invoices: {
      readonly organizationId: string;
      readonly id: string;
      readonly kind: 'NORMAL' | 'PASSTHROUGH' | null;
      readonly channel: string | null;
      readonly totalMinor: bigint | null;
      readonly currency: string | null;
      readonly registeredAt: Date | null;
      readonly createdAt: Generated<Date>;
    };
    referral_codes: { code: string; organizationId: string; createdAt: Date };
    kyc_secrets: {
      submissionId: string;
      organizationId: string;
      field: string;
      keyId: string;
      sealed: string;
      blindIndex: string | null;
    };
  }
}
