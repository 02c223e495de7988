import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { countRows, openReceipt, type TableReceipt } from './erase-rows.ts';
import { type FoundPerson, findPerson } from './find-person.ts';
import type { PersonLookup } from './person.contract.ts';
import { digestOf, keyOf, type PersonIds } from './person-key.ts';

/** Up to four rounds of IDs, and the shared devices. */
const FIND_QUESTIONS = 6;
/** A count for each table. */
const COUNT_QUESTIONS = 8;
export const FIND_POINTS = FIND_QUESTIONS * QUESTION_POINTS;
export const COUNT_POINTS = COUNT_QUESTIONS * QUESTION_POINTS;

/** The IDs of a person. `footprintTables` counts the rows, which takes much longer. */
export type Footprint = FoundPerson & { readonly confirmation: string };

/** Finds the IDs of the person. */
export async function personFootprint(context: Context, lookup: PersonLookup): Promise<Footprint> {
  const person = await findPerson(context, lookup);
  return { ...person, confirmation: digestOf(person) };
}

/** Counts the rows with the IDs by table. */
export async function footprintTables(
  context: Context,
  ids: PersonIds,
): Promise<readonly TableReceipt[]> {
  const workspaceId = workspaceOf(context.viewer);
  const { organizationId } = context.viewer!;
  const { database, warehouses } = context.deps;
  const warehouse = await warehouses.maintenance(organizationId, workspaceId);
  return openReceipt(await countRows({ database, warehouse }, keyOf(workspaceId, ids)));
}
