import type { EntityManager } from '@mikro-orm/postgresql';
import { rowsOf, sql } from '../../platform/database/kysely.ts';
import { sendNodesOf } from '../snapshot.ts';
import { traitOf, type Values } from './choose-version.ts';
import type { DuePerson } from './load-due.ts';
import { type Pins, treeOf } from './load-pins.ts';

/** Loads only the traits that a version may need, because a contact may have many. */
export async function loadTraits(
  em: EntityManager,
  people: readonly DuePerson[],
  pins: Pins,
): Promise<ReadonlyMap<string, Values>> {
  const names = neededTraits(pins);
  if (names.length === 0) return new Map();
  // Matches the whole trait name first, then a path such as `order.id`. Objects and lists are
  // ignored.
  const rows = await rowsOf(
    em,
    sql<{ id: string; traits: Values }>`
      SELECT contacts.id, coalesce(jsonb_object_agg(trait.name, trait.value #>> '{}')
               FILTER (WHERE jsonb_typeof(trait.value) IN ('string', 'number', 'boolean')), '{}') AS traits
      FROM contacts
      CROSS JOIN LATERAL (
        SELECT name, coalesce(traits -> name, traits #> string_to_array(name, '.')) AS value
        FROM unnest(${names}::text[]) AS named (name)
      ) AS trait
      WHERE contacts.id = ANY(${people.map(({ contactId }) => contactId)})
      GROUP BY contacts.id`,
  );
  return new Map(rows.map(({ id, traits }) => [id, traits]));
}

function neededTraits(pins: Pins): string[] {
  const names = [...pins.nodes.values()].flatMap(nodes =>
    sendNodesOf([...nodes.values()]).flatMap(node =>
      (pins.versions.get(treeOf(node)) ?? []).flatMap(({ variables }) =>
        variables.map(({ name }) => traitOf(node, name)),
      ),
    ),
  );
  return [...new Set(names)];
}
