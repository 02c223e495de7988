import { Campaign } from '../campaigns/campaign.entity.ts';
import { Consent } from '../contacts/consent.entity.ts';
import { Contact } from '../contacts/contact.entity.ts';
import { RejectedEventsReplay } from '../events/replay/replay.entity.ts';
import { JourneyDefinition } from '../journeys/definition.entity.ts';
import { Enrolment } from '../journeys/enrolment.entity.ts';
import { EnrolmentOverride } from '../journeys/enrolment-override.entity.ts';
import { Journey } from '../journeys/journey.entity.ts';
import { JourneySnapshot } from '../journeys/snapshot.entity.ts';
import { JourneySnapshotPin } from '../journeys/snapshot-pin.entity.ts';
import { AffiliateProfile } from '../partner/affiliate.entity.ts';
import { AgencyProfile } from '../partner/agency.entity.ts';
import { TaxCertificate } from '../partner/certificate.entity.ts';
import { TaxCertificateLine } from '../partner/certificate-line.entity.ts';
import { Conversion } from '../partner/conversion.entity.ts';
import { AgencyDeal } from '../partner/deal.entity.ts';
import { DealProof } from '../partner/deal-proof.entity.ts';
import { Earning } from '../partner/earning.entity.ts';
import { KycSubmission } from '../partner/kyc.entity.ts';
import { LedgerTransaction } from '../partner/ledger/transaction.entity.ts';
import { PartnerProfile } from '../partner/partner-profile.entity.ts';
import { Payout } from '../partner/payout.entity.ts';
import { ProgramTerms } from '../partner/program-terms.entity.ts';
import { Redemption } from '../partner/redemption.entity.ts';
import { RefereeRelation } from '../partner/referral.entity.ts';
import { GatewayCredentials } from '../payments/credentials.entity.ts';
import { GatewayDispute } from '../payments/dispute.entity.ts';
import { GatewayEffect } from '../payments/effect.entity.ts';
import { GatewayLink } from '../payments/link.entity.ts';
import { GatewayOrder } from '../payments/order.entity.ts';
import { GatewayPayment } from '../payments/payment.entity.ts';
import { GatewayPlan } from '../payments/plan.entity.ts';
import { GatewayRefund } from '../payments/refund.entity.ts';
import { GatewaySettlement } from '../payments/settlement.entity.ts';
import { GatewaySubscription } from '../payments/subscription.entity.ts';
import { GatewayVendor } from '../payments/vendor.entity.ts';
import { AuditEntry } from '../platform/audit-entry.entity.ts';
import { OutboxRow } from '../platform/warehouse/outbox-row.entity.ts';
import { TemplateAlert } from '../templates/approval/alert.entity.ts';
import { ApprovalEvent } from '../templates/approval/approval-event.entity.ts';
import { ApprovalSending } from '../templates/approval/approval-sending.entity.ts';
import { ApprovalSettings } from '../templates/approval/approval-settings.entity.ts';
import { ApprovalSync } from '../templates/approval/approval-sync.entity.ts';
import { TemplateSubmission } from '../templates/approval/submission.entity.ts';
import { CatalogEntry } from '../templates/catalog-entry.entity.ts';
import { Template } from '../templates/template.entity.ts';
import { TemplateTransition } from '../templates/transition.entity.ts';
import { TemplateVerdict } from '../templates/verdict.entity.ts';
import { TemplateVersion } from '../templates/version.entity.ts';
import { Cell } from '../tenancy/cell.entity.ts';
import { Organization } from '../tenancy/organization.entity.ts';
import { Property } from '../tenancy/property.entity.ts';
import { SdkKey } from '../tenancy/sdk-key.entity.ts';
import { Workspace } from '../tenancy/workspace.entity.ts';
import { WebhookAttempt } from '../webhooks/attempt.entity.ts';
import { WebhookDelivery } from '../webhooks/delivery.entity.ts';
import { WebhookEndpoint } from '../webhooks/endpoint.entity.ts';

/** What the ORM is told of; a test compares each with its table. */
export const ALL_ENTITIES = [
  AffiliateProfile,
  AgencyDeal,
  AgencyProfile,
  AuditEntry,
  Campaign,
  CatalogEntry,
  Cell,
  Consent,
  Contact,
  Conversion,
  DealProof,
  Earning,
  Enrolment,
  EnrolmentOverride,
  GatewayCredentials,
  GatewayDispute,
  GatewayEffect,
  GatewayLink,
  GatewayOrder,
  GatewayPayment,
  GatewayPlan,
  GatewayRefund,
  GatewaySettlement,
  GatewaySubscription,
  GatewayVendor,
  Journey,
  JourneyDefinition,
  JourneySnapshot,
  JourneySnapshotPin,
  KycSubmission,
  LedgerTransaction,
  Organization,
  OutboxRow,
  PartnerProfile,
  Payout,
  ProgramTerms,
  Property,
  Redemption,
  RefereeRelation,
  RejectedEventsReplay,
  SdkKey,
  TaxCertificate,
  TaxCertificateLine,
  Template,
  TemplateSubmission,
  TemplateTransition,
  TemplateVerdict,
  TemplateVersion,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  Workspace,
  ApprovalEvent,
  ApprovalSending,
  ApprovalSettings,
  ApprovalSync,
  TemplateAlert,
];
