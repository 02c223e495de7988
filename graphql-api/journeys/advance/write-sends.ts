// Records each send: the audit of the version used, the message for its channel, and a card on the
// contact's timeline if the send deviates from the pin.

import type { EntityManager } from '@mikro-orm/postgresql';
import { SEND_AUDITS_RAW } from '../../../schema/rows/send-audits-raw.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { putRows } from '../../platform/warehouse/put-rows.ts';
import type {
  TemplateButton,
  TemplateChannel,
  TemplateExtras,
  TemplateHeader,
} from '../../templates/content.ts';
import { type Rendered, renderTemplate } from '../../templates/render.ts';
import type { ResolutionReason } from '../../templates/resolve-version.ts';
import type { Send } from './advance-journey.ts';
import { type Choice, traitValue } from './choose-version.ts';
import { writeCards, writeMigrations } from './write-notes.ts';

/** A rendered message to one contact. */
type ResolvedSend = {
  /** Derived from the enrolment and the node, so that a channel can deduplicate. */
  readonly id: string;
  readonly enrolmentId: string;
  readonly journeyId: string;
  readonly workspaceId: string;
  readonly contactId: string;
  readonly userId: string;
  readonly nodeId: string;
  readonly templateId: string;
  readonly versionId: string;
  readonly versionNumber: number;
  readonly pinnedVersionId: string | undefined;
  readonly channel: string;
  readonly language: string;
  readonly reason: ResolutionReason;
  readonly rendered: Rendered;
};

/**
 * Hands messages to their channels, in the transaction that advances the enrolments. An
 * implementation stores them and makes no external calls before the commit.
 */
export type Sender = {
  readonly take: (em: EntityManager, sends: readonly ResolvedSend[]) => Promise<void>;
};

/** Has no channels: sends are resolved, rendered and audited only. */
export const AUDIT_ONLY: Sender = { take: () => Promise.resolve() };

type SendDeps = Pick<AppDeps, 'clock' | 'newId'>;
type Chosen = Extract<Choice, { kind: 'send' }>;

/** Returns the number of sends. */
export async function writeSends(
  em: EntityManager,
  deps: SendDeps,
  sends: readonly Send[],
  sender: Sender,
): Promise<number> {
  const chosen = sends.flatMap(send =>
    send.choice.kind === 'send' ? [{ ...send, choice: send.choice }] : [],
  );
  const contents = await loadContents(em, [...new Set(chosen.map(s => s.choice.version.id))]);
  const resolved = chosen.map(send => resolvedSend(send, contents.get(send.choice.version.id)!));
  await writeAudits(em, deps, resolved);
  await sender.take(em, resolved);
  await writeMigrations(em, deps, chosen);
  await writeCards(em, deps, sends);
  return resolved.length;
}

type Content = {
  readonly id: string;
  readonly body: string;
  readonly header: TemplateHeader | null;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
  readonly extras: TemplateExtras;
};

/** Loads only the contents that are sent, because an email is large. */
async function loadContents(
  em: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Content>> {
  if (ids.length === 0) return new Map();
  const contents = await rowsOf(
    em,
    sql<Content>`
      SELECT id, body, header, footer, buttons, content AS extras
      FROM template_versions WHERE id = ANY(${ids})`,
  );
  return new Map(contents.map(content => [content.id, content]));
}

function resolvedSend(
  { person, node, choice, traits }: Send & { readonly choice: Chosen },
  content: Content,
): ResolvedSend {
  const { version, reason, pinnedId } = choice;
  const values = Object.fromEntries(
    version.variables.map(({ name }) => [name, traitValue(traits, node, name)]),
  );
  return {
    id: derivedUuid('journey send', person.id, node.id),
    enrolmentId: person.id,
    journeyId: person.journeyId,
    workspaceId: person.workspaceId,
    contactId: person.contactId,
    userId: person.userId,
    nodeId: node.id,
    templateId: version.templateId,
    versionId: version.id,
    versionNumber: version.number,
    pinnedVersionId: pinnedId,
    channel: version.channel,
    language: version.language,
    reason,
    rendered: renderTemplate(content, version.channel as TemplateChannel, values),
  };
}

async function writeAudits(
  em: EntityManager,
  deps: SendDeps,
  sends: readonly ResolvedSend[],
): Promise<void> {
  const [first] = sends;
  if (first === undefined) return;
  const sentAt = new Date(deps.clock.nowMs()).toISOString();
  // All sends belong to one journey and thus to one workspace.
  await putRows(em, deps, {
    workspaceId: first.workspaceId,
    table: SEND_AUDITS_RAW.name,
    rows: sends.map(send => ({
      send_id: send.id,
      enrolment_id: send.enrolmentId,
      journey_id: send.journeyId,
      node_id: send.nodeId,
      template_id: send.templateId,
      version_id: send.versionId,
      version_number: send.versionNumber,
      ...(send.pinnedVersionId !== undefined && { pinned_version_id: send.pinnedVersionId }),
      channel: send.channel,
      language: send.language,
      reason: send.reason,
      contact_id: send.contactId,
      user_id: send.userId,
      sent_at: sentAt,
    })),
  });
}
