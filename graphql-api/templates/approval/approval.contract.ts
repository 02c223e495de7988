// The contracts of the approval mutations.

import { z } from 'zod';

const REASON_CHARACTERS_MAX = 500;
const HOURS_MAX = 720;
const DAYS_MAX = 30;

const hours = z.int().min(1).max(HOURS_MAX).optional();

export const templateApprovalSettingsUpdateContract = z.strictObject({
  messagingAppHours: hours,
  smsBusinessDays: z.int().min(1).max(DAYS_MAX).optional(),
  emailHours: hours,
});
export type TemplateApprovalSettingsUpdate = z.output<
  typeof templateApprovalSettingsUpdateContract
>;

export const templateApprovalSyncContract = z.strictObject({});

export const templateReviewApproveContract = z.strictObject({ submissionId: z.uuid() });
export type TemplateReviewApprove = z.output<typeof templateReviewApproveContract>;

export const templateReviewRejectContract = z.strictObject({
  submissionId: z.uuid(),
  reason: z.string().trim().min(1).max(REASON_CHARACTERS_MAX),
});
export type TemplateReviewReject = z.output<typeof templateReviewRejectContract>;
