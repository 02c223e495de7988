import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { EntityType } from './entity-types.ts';

export const KycSubmissionSchema = defineEntity({
  name: 'KycSubmission',
  tableName: 'kyc_submissions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    entityType: p.text().$type<EntityType>(),
    fullName: p.text(),
    panName: p.text().nullable(),
    panMasked: p.text().nullable(),
    hasGst: p.boolean(),
    bankIfsc: p.text(),
    bankAccountHolderName: p.text(),
    bankAccountMasked: p.text(),
    status: p
      .text()
      .$type<'KYC_PENDING' | 'KYC_APPROVED' | 'KYC_REJECTED' | 'SUPERSEDED'>()
      .default('KYC_PENDING'),
    rejectionReason: p.text().nullable(),
    reviewedAt: instant().nullable(),
    reviewedBy: p.text().nullable(),
    createdBy: p.text(),
    createdAt: instant(),
  },
});

/** The KYC details submitted by an affiliate. Secret fields are in kyc_secrets. */
export class KycSubmission extends KycSubmissionSchema.class {}
KycSubmissionSchema.setClass(KycSubmission);
