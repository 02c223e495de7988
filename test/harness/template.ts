// Creates templates and versions as rows in any state, through the transitions that the database
// allows.

import { v7 as uuidv7 } from 'uuid';
import { contentHash, type TemplateContent } from '../../graphql-api/templates/content.ts';
import type { TemplateState } from '../../graphql-api/templates/transitions.ts';
import { variablesOf } from '../../graphql-api/templates/variables.ts';
import { sql } from './tenant.ts';

/** For a database other than the one shared by the run. */
type Query = (text: string, values: unknown[]) => Promise<unknown>;

export type TemplateOptions = { readonly id?: string; readonly name?: string };

/** Returns its ID. */
export async function createTemplate(
  workspaceId: string,
  { id = uuidv7(), name = 'Order on its way' }: TemplateOptions = {},
): Promise<string> {
  await sql('INSERT INTO templates (id, workspace_id, name, created_by) VALUES ($1, $2, $3, $4)', [
    id,
    workspaceId,
    name,
    'user-1',
  ]);
  return id;
}

export type VersionOptions = Partial<TemplateContent> & {
  readonly id?: string;
  readonly templateId: string;
  readonly state?: TemplateState;
  readonly channel?: 'messaging_app' | 'sms' | 'email';
  readonly language?: string;
  readonly number?: number;
  readonly submissionId?: string;
};

const STEPS: Readonly<Record<TemplateState, readonly TemplateState[]>> = {
  Draft: [],
  Submitted: ['Submitted'],
  Approved: ['Submitted', 'Approved'],
  Active: ['Submitted', 'Approved', 'Active'],
  Superseded: ['Submitted', 'Approved', 'Active', 'Superseded'],
  Rejected: ['Submitted', 'Rejected'],
  Archived: ['Archived'],
};

/** Returns its ID. */
export async function createVersion(
  workspaceId: string,
  {
    id = uuidv7(),
    templateId,
    state = 'Draft',
    channel = 'messaging_app',
    language = 'en',
    number = 1,
    submissionId = uuidv7(),
    ...given
  }: VersionOptions,
): Promise<string> {
  const content: TemplateContent = {
    category: 'utility',
    body: 'Hello {{first_name}}, your order is on its way.',
    header: null,
    footer: null,
    buttons: [],
    extras: {},
    ...given,
  };
  await sql(
    `INSERT INTO template_versions (id, template_id, workspace_id, channel, language, number, category,
       body, header, footer, buttons, content, variables, content_hash, change_source, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'CREATED', 'user-1')`,
    [
      id,
      templateId,
      workspaceId,
      channel,
      language,
      number,
      content.category,
      content.body,
      content.header === null ? null : JSON.stringify(content.header),
      content.footer,
      JSON.stringify(content.buttons),
      JSON.stringify(content.extras),
      JSON.stringify(variablesOf(content, channel)),
      contentHash(content),
    ],
  );
  await bringTo(workspaceId, id, state, submissionId);
  return id;
}

/** Creates a version and brings it from Draft to the given state, with simulated verdicts. */
export async function bringTo(
  workspaceId: string,
  id: string,
  state: TemplateState,
  submissionId: string = uuidv7(),
  query: Query = sql,
): Promise<void> {
  for (const step of STEPS[state]) await takeStep(id, workspaceId, step, submissionId, query);
}

async function takeStep(
  id: string,
  workspaceId: string,
  step: TemplateState,
  submissionId: string,
  query: Query,
): Promise<void> {
  if (step === 'Submitted')
    await query(
      `INSERT INTO template_submissions (id, workspace_id, template_id, version_id, channel,
         submitted_by, submitted_at, sla_due_at)
       SELECT $1, workspace_id, template_id, id, channel, 'user-1', now(), now() + interval '1 day'
       FROM template_versions WHERE id = $2 AND workspace_id = $3`,
      [submissionId, id, workspaceId],
    );
  if (step === 'Approved' || step === 'Rejected')
    await query('UPDATE template_submissions SET state = $1, decided_at = now() WHERE id = $2', [
      step.toUpperCase(),
      submissionId,
    ]);
  await query(
    `UPDATE template_versions SET state = $1::text, submission_id = coalesce(submission_id, $2),
       submitted_at = CASE $1::text WHEN 'Submitted' THEN now() ELSE submitted_at END,
       approved_at = CASE $1::text WHEN 'Approved' THEN now() ELSE approved_at END,
       activated_at = CASE $1::text WHEN 'Active' THEN now() ELSE activated_at END,
       superseded_at = CASE $1::text WHEN 'Superseded' THEN now() ELSE superseded_at END,
       archived_at = CASE $1::text WHEN 'Archived' THEN now() ELSE archived_at END,
       rejection_reason = CASE $1::text WHEN 'Rejected' THEN 'SCAM' ELSE rejection_reason END
     WHERE id = $3`,
    [step, step === 'Archived' ? null : submissionId, id],
  );
}
