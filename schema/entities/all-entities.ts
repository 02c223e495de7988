import { AffiliateProfile } from './affiliate-profile.ts';
import { AgencyDeal } from './agency-deal.ts';
import { AgencyProfile } from './agency-profile.ts';
import { ApprovalEvent } from './approval-event.ts';
import { ApprovalSending } from './approval-sending.ts';
import { ApprovalSettings } from './approval-settings.ts';
import { ApprovalSync } from './approval-sync.ts';
import { AuditEntry } from './audit-entry.ts';
import { Campaign } from './campaign.ts';
import { CatalogEntry } from './catalog-entry.ts';
import { Cell } from './cell.ts';
import { Consent } from './consent.ts';
import { Contact } from './contact.ts';
import { Conversion } from './conversion.ts';
import { DealProof } from './deal-proof.ts';
import { Device } from './device.ts';
import { Earning } from './earning.ts';
import { Enrolment } from './enrolment.ts';
import { EnrolmentCount } from './enrolment-count.ts';
import { EnrolmentOverride } from './enrolment-override.ts';
import { Exposure } from './exposure.ts';
import { GatewayCredentials } from './gateway-credentials.ts';
import { GatewayDispute } from './gateway-dispute.ts';
import { GatewayEffect } from './gateway-effect.ts';
import { GatewayEvent } from './gateway-event.ts';
import { GatewayLink } from './gateway-link.ts';
import { GatewayOrder } from './gateway-order.ts';
import { GatewayPayment } from './gateway-payment.ts';
import { GatewayPlan } from './gateway-plan.ts';
import { GatewayRefund } from './gateway-refund.ts';
import { GatewaySettlement } from './gateway-settlement.ts';
import { GatewaySubscription } from './gateway-subscription.ts';
import { GatewayVendor } from './gateway-vendor.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import { Invoice } from './invoice.ts';
import { Journey } from './journey.ts';
import { JourneyDefinition } from './journey-definition.ts';
import { JourneySignal } from './journey-signal.ts';
import { JourneySnapshot } from './journey-snapshot.ts';
import { JourneySnapshotPin } from './journey-snapshot-pin.ts';
import { KycSubmission } from './kyc-submission.ts';
import { LedgerAccount } from './ledger-account.ts';
import { LedgerEntry } from './ledger-entry.ts';
import { LedgerTransaction } from './ledger-transaction.ts';
import { Organization } from './organization.ts';
import { OutboundEvent } from './outbound-event.ts';
import { OutboxRow } from './outbox-row.ts';
import { PartnerProfile } from './partner-profile.ts';
import { PaymentFact } from './payment-fact.ts';
import { PaymentReversal } from './payment-reversal.ts';
import { Payout } from './payout.ts';
import { PinRelease } from './pin-release.ts';
import { ProgramTerms } from './program-terms.ts';
import { Property } from './property.ts';
import { Redemption } from './redemption.ts';
import { RefereeRelation } from './referee-relation.ts';
import { ReferralCode } from './referral-code.ts';
import { RejectedEventsReplay } from './rejected-events-replay.ts';
import { SdkKey } from './sdk-key.ts';
import { TaxCertificate } from './tax-certificate.ts';
import { TaxCertificateLine } from './tax-certificate-line.ts';
import { TaxForm } from './tax-form.ts';
import { Template } from './template.ts';
import { TemplateAlert } from './template-alert.ts';
import { TemplateSubmission } from './template-submission.ts';
import { TemplateTransition } from './template-transition.ts';
import { TemplateVerdict } from './template-verdict.ts';
import { TemplateVersion } from './template-version.ts';
import { Wallet } from './wallet.ts';
import { WebhookAttempt } from './webhook-attempt.ts';
import { WebhookDelivery } from './webhook-delivery.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';
import { WidgetStepExecution } from './widget-step-execution.ts';
import { Workspace } from './workspace.ts';

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
  Device,
  Earning,
  Enrolment,
  EnrolmentCount,
  EnrolmentOverride,
  Exposure,
  GatewayCredentials,
  GatewayDispute,
  GatewayEffect,
  GatewayEvent,
  GatewayLink,
  GatewayOrder,
  GatewayPayment,
  GatewayPlan,
  GatewayRefund,
  GatewaySettlement,
  GatewaySubscription,
  GatewayVendor,
  IdempotencyRecord,
  Invoice,
  Journey,
  JourneyDefinition,
  JourneySignal,
  JourneySnapshot,
  JourneySnapshotPin,
  KycSubmission,
  LedgerAccount,
  LedgerEntry,
  LedgerTransaction,
  Organization,
  OutboundEvent,
  OutboxRow,
  PartnerProfile,
  PaymentFact,
  PaymentReversal,
  Payout,
  PinRelease,
  ProgramTerms,
  Property,
  Redemption,
  RefereeRelation,
  ReferralCode,
  RejectedEventsReplay,
  SdkKey,
  TaxCertificate,
  TaxCertificateLine,
  TaxForm,
  Template,
  TemplateSubmission,
  TemplateTransition,
  TemplateVerdict,
  TemplateVersion,
  Wallet,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WidgetStepExecution,
  Workspace,
  ApprovalEvent,
  ApprovalSending,
  ApprovalSettings,
  ApprovalSync,
  TemplateAlert,
];
