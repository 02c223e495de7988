import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { ApprovalFault, Approver, UpstreamTemplate } from '../../approval/approver.ts';
import { type Approvers, approversOf } from '../../approval/approvers.ts';
import type { AppDeps } from '../../context.ts';
import { applyWord, type Effect } from './apply-word.ts';
import { type KnownSubmission, submissionById, submissionsByNames } from './known-submission.ts';

export type PollDeps = Pick<AppDeps, 'database' | 'clock' | 'newId' | 'config' | 'log'>;

export type PollOptions = {
  readonly source: 'POLL' | 'SYNC';
  /** Only what is of this workspace changes. */
  readonly workspaceId?: string;
  readonly approvers?: Approvers;
  readonly signal?: AbortSignal;
};

export type Polled = { readonly changed: number; readonly faults: readonly string[] };

/** Of a hundred templates each: more than an account may have, many times over. */
const PAGES_MAX = 1_000;

/** Asks the approvers how everything stands, page by page, for whatever a webhook did not tell. */
export async function pollApprovals(deps: PollDeps, options: PollOptions): Promise<Polled> {
  const { approvers = approversOf(deps) } = options;
  let changed = 0;
  const faults: string[] = [];
  for (const approver of approvers.values()) {
    const result = await pollOne(deps, approver, options);
    changed += result.changed;
    if (result.fault === undefined) continue;
    const { kind, code, message } = result.fault;
    faults.push(`${approver.channel}: ${message} (${code})`);
    deps.log.warn({ channel: approver.channel, kind, code }, 'an approver was not to be asked');
  }
  return { changed, faults };
}

type Result = { readonly changed: number; readonly fault?: ApprovalFault };

async function pollOne(deps: PollDeps, approver: Approver, options: PollOptions): Promise<Result> {
  const startedAt = new Date(deps.clock.nowMs());
  await noteAttempt(deps, approver, options, startedAt);
  let changed = 0;
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX && options.signal?.aborted !== true; page++) {
    const answer = await approver.list(after);
    if (!answer.isOk) {
      await noteOutcome(deps, approver, options, answer.fault);
      return { changed, fault: answer.fault };
    }
    changed += await applyPage(deps, approver, options, { ...answer.value, startedAt });
    const { next } = answer.value;
    if (next === undefined || next === after) {
      await noteMissing(deps, approver, options, startedAt);
      await noteOutcome(deps, approver, options, undefined);
      return { changed };
    }
    after = next;
  }
  return { changed };
}

type ListedPage = { readonly items: readonly UpstreamTemplate[]; readonly startedAt: Date };

async function applyPage(
  deps: PollDeps,
  { channel }: Approver,
  options: PollOptions,
  { items, startedAt }: ListedPage,
): Promise<number> {
  const names = items.map(({ name }) => name);
  const { database } = deps;
  const known = await database.asSystem(async em => {
    const submissions = await submissionsByNames(em, channel, names, options.workspaceId);
    await noteSeen(em, submissions, startedAt);
    return submissions;
  });
  let changed = 0;
  for (const submission of known) {
    const item = items.find(({ name }) => name === submission.upstreamName)!;
    // Most say what they said the last time.
    const isNews = item.status !== submission.upstreamStatus || submission.state === 'PENDING';
    if (isNews && (await applyItem(deps, submission, item, options, startedAt))) changed++;
  }
  return changed;
}

async function applyItem(
  deps: PollDeps,
  { id }: KnownSubmission,
  item: UpstreamTemplate,
  { source }: PollOptions,
  at: Date,
): Promise<boolean> {
  return deps.database.asSystem(async em => {
    const submission = await submissionById(em, id);
    if (submission === undefined) return false;
    const { status: word, reason, upstreamId } = item;
    const saying = { kind: 'STATUS', word, reason, upstreamId, at, healthUntil: null } as const;
    const effect = await applyWord({ em, deps }, submission, saying);
    if (effect.why === 'UNKNOWN_WORD')
      deps.log.error({ submissionId: id, word }, 'an approver says what we do not know');
    if (effect.state !== 'PROCESSED') return false;
    await keepEvent(em, deps, { submission, item, source, at, effect });
    return true;
  });
}

type Found = {
  readonly submission: KnownSubmission;
  readonly item: UpstreamTemplate;
  readonly source: 'POLL' | 'SYNC';
  readonly at: Date;
  readonly effect: Effect;
};

/** What changed something is kept, wherever it came from. */
async function keepEvent(
  em: EntityManager,
  { newId }: PollDeps,
  { submission, item, source, at, effect }: Found,
): Promise<void> {
  const body = JSON.stringify(item);
  const key = createHash('sha256').update(`${source} ${at.toISOString()} ${body}`).digest('hex');
  await em.execute(
    `INSERT INTO approval_events (id, channel, source, event_key, upstream_name, upstream_id, word,
       reason, occurred_at, body, state, why, workspace_id, submission_id, version_id, processed_at,
       created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, convert_to(?, 'UTF8'), ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (channel, event_key) DO NOTHING`,
    [
      newId(),
      submission.channel,
      source,
      key,
      item.name,
      item.upstreamId,
      item.status,
      item.reason,
      at.toISOString(),
      body,
      effect.state,
      effect.why,
      submission.workspaceId,
      submission.id,
      submission.versionId,
      at.toISOString(),
      at.toISOString(),
    ],
  );
}

async function noteSeen(
  em: EntityManager,
  submissions: readonly KnownSubmission[],
  at: Date,
): Promise<void> {
  await em.execute(
    `UPDATE approval_sendings SET seen_at = ? WHERE submission_id IN
       (SELECT jsonb_array_elements_text(?::jsonb)::uuid)`,
    [at.toISOString(), JSON.stringify(submissions.map(({ id }) => id))],
  );
}

/** Sent, and no longer listed: shown, so that a person looks; nothing is sent again by itself. */
async function noteMissing(
  { database }: PollDeps,
  { channel }: Approver,
  { workspaceId }: PollOptions,
  startedAt: Date,
): Promise<void> {
  await database.asSystem(em =>
    em.execute(
      `UPDATE approval_sendings SET upstream_status = 'MISSING'
       WHERE channel = ? AND state = 'SENT' AND sent_at < ? AND (seen_at IS NULL OR seen_at < ?)
         AND (?::uuid IS NULL OR workspace_id = ?)`,
      [
        channel,
        startedAt.toISOString(),
        startedAt.toISOString(),
        workspaceId ?? null,
        workspaceId ?? null,
      ],
    ),
  );
}

async function noteAttempt(
  { database }: PollDeps,
  { channel }: Approver,
  { workspaceId }: PollOptions,
  at: Date,
): Promise<void> {
  await database.asSystem(em =>
    em.execute(
      `INSERT INTO approval_syncs (workspace_id, channel, last_attempt_at)
       SELECT workspace_id, ?, ? FROM (
         SELECT DISTINCT workspace_id FROM approval_sendings WHERE channel = ? AND ?::uuid IS NULL
         UNION SELECT ?::uuid WHERE ?::uuid IS NOT NULL) asked
       ON CONFLICT (workspace_id, channel) DO UPDATE SET last_attempt_at = excluded.last_attempt_at`,
      [
        channel,
        at.toISOString(),
        channel,
        workspaceId ?? null,
        workspaceId ?? null,
        workspaceId ?? null,
      ],
    ),
  );
}

async function noteOutcome(
  { database, clock }: PollDeps,
  { channel }: Approver,
  { workspaceId }: PollOptions,
  fault: ApprovalFault | undefined,
): Promise<void> {
  const text = fault === undefined ? null : `${fault.message} (${fault.code})`;
  await database.asSystem(em =>
    em.execute(
      `UPDATE approval_syncs SET fault = ?, last_success_at = CASE WHEN ?::text IS NULL
         THEN ?::timestamptz ELSE last_success_at END
       WHERE channel = ? AND (?::uuid IS NULL OR workspace_id = ?)`,
      [
        text,
        text,
        new Date(clock.nowMs()).toISOString(),
        channel,
        workspaceId ?? null,
        workspaceId ?? null,
      ],
    ),
  );
}
