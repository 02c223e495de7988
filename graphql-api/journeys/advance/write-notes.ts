import type { EntityManager } from '@mikro-orm/postgresql';
import { ACTIVITY_CARDS_RAW } from '../../../schema/rows/activity-cards-raw.ts';
import type { RowValues } from '../../../schema/rows/control-plane-rows.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import type { AppDeps } from '../../platform/context.ts';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { putRows } from '../../platform/warehouse/put-rows.ts';
import type { Send } from './advance-journey.ts';

/** An entry of the contact's timeline. */
type Note = { readonly kind: string; readonly details: Readonly<Record<string, unknown>> };

/** Stores the migration, so that later sends use the same version. */
export async function writeMigrations(
  em: EntityManager,
  { clock }: Pick<AppDeps, 'clock'>,
  sends: readonly Send[],
): Promise<void> {
  const migrated = sends.flatMap(({ person, node, choice }) =>
    choice.kind === 'send' && choice.migratedFrom !== undefined
      ? [{ person, node, versionId: choice.version.id, missing: choice.migratedFrom.missing }]
      : [],
  );
  if (migrated.length === 0) return;
  const { workspaceId } = migrated[0]!.person;
  const reasons = migrated.map(
    ({ missing }) => `The pinned version requires ${missing.join(', ')}.`,
  );
  await rowsOf(
    em,
    sql`
      INSERT INTO enrolment_overrides
        (enrolment_id, node_id, workspace_id, version_id, kind, reason, created_by, created_at)
      SELECT enrolment_id, node_id, ${workspaceId}, version_id, 'MIGRATED', reason, 'system',
             ${new Date(clock.nowMs())}
      FROM unnest(
        ${migrated.map(({ person }) => person.id)}::uuid[],
        ${migrated.map(({ node }) => node.id)}::text[],
        ${migrated.map(({ versionId }) => versionId)}::uuid[],
        ${reasons}::text[]
      ) AS row (enrolment_id, node_id, version_id, reason)
      ON CONFLICT (enrolment_id, node_id) DO NOTHING`,
  );
}

/** Writes each card once per enrolment and node, however often the send is tried. */
export async function writeCards(
  em: EntityManager,
  deps: Pick<AppDeps, 'clock' | 'newId'>,
  sends: readonly Send[],
): Promise<void> {
  const rows = sends.flatMap(send => {
    const note = noteOf(send);
    return note === undefined ? [] : [cardOf(send, note)];
  });
  if (rows.length === 0) return;
  const { workspaceId } = sends[0]!.person;
  await putRows(em, deps, { workspaceId, table: ACTIVITY_CARDS_RAW.name, rows });
}

function noteOf({ choice }: Send): Note | undefined {
  switch (choice.kind) {
    case 'hold':
      return { kind: 'journey.send_held', details: {} };
    case 'skip':
      return {
        kind: 'journey.send_skipped',
        details:
          choice.reason === 'suppressed'
            ? { reason: choice.reason }
            : { reason: choice.reason, version_id: choice.versionId, missing: choice.missing },
      };
    case 'send':
      break;
  }
  const { version, reason, pinnedId, migratedFrom } = choice;
  if (migratedFrom !== undefined)
    return {
      kind: 'journey.pin_migrated',
      details: {
        from_version_id: migratedFrom.versionId,
        to_version_id: version.id,
        missing: migratedFrom.missing,
      },
    };
  if (reason !== 'pin_unsendable' && reason !== 'fallback_rejected') return undefined;
  return {
    kind: `journey.${reason}`,
    details: { from_version_id: pinnedId ?? null, to_version_id: version.id },
  };
}

function cardOf({ person, node }: Send, { kind, details }: Note): RowValues {
  return {
    card_id: derivedUuid('journey card', person.id, node.id, kind),
    kind,
    channel: node.channel,
    user_id: person.userId,
    contact_id: person.contactId,
    details: JSON.stringify({
      journey_id: person.journeyId,
      node_id: node.id,
      template_id: node.templateId,
      ...details,
    }),
  };
}
