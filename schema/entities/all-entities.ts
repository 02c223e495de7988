import { AuditEntry } from './audit-entry.ts';
import { Campaign } from './campaign.ts';
import { Cell } from './cell.ts';
import { Consent } from './consent.ts';
import { Contact } from './contact.ts';
import { Device } from './device.ts';
import { Exposure } from './exposure.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import { JourneySignal } from './journey-signal.ts';
import { Organization } from './organization.ts';
import { OutboundEvent } from './outbound-event.ts';
import { Property } from './property.ts';
import { SdkKey } from './sdk-key.ts';
import { WidgetStepExecution } from './widget-step-execution.ts';
import { Workspace } from './workspace.ts';

/** What the ORM is told of; a test compares each with its table. */
export const ALL_ENTITIES = [
  AuditEntry,
  Campaign,
  Cell,
  Consent,
  Contact,
  Device,
  Exposure,
  IdempotencyRecord,
  JourneySignal,
  Organization,
  OutboundEvent,
  Property,
  SdkKey,
  WidgetStepExecution,
  Workspace,
];
