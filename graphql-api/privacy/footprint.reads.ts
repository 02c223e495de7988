import type { Context } from '../platform/context.ts';
import { workspaceOf } from '../platform/permit.ts';
import { QUESTION_POINTS } from '../platform/warehouse/ask.ts';
import { countRows, openReceipt, type TableReceipt } from './erase-rows.ts';
import { type FoundPerson, findPerson } from './find-person.ts';
import type { PersonLookup } from './person.contract.ts';
import { digestOf, keyOf } from './person-key.ts';

/** Up to four rounds of IDs, the shared devices, and a count for each table. */
const QUESTIONS = 14;
export const FOOTPRINT_POINTS = QUESTIONS * QUESTION_POINTS;

/** The stored data of a person. */
export type Footprint = FoundPerson & {
  readonly confirmation: string;
  readonly tables: readonly TableReceipt[];
};

/** Finds the IDs of the person, and counts the rows with them by table. */
export async function personFootprint(context: Context, lookup: PersonLookup): Promise<Footprint> {
  const workspaceId = workspaceOf(context.viewer);
  const { organizationId } = context.viewer!;
  const { database, warehouses } = context.deps;
  const person = await findPerson(context, lookup);
  const key = keyOf(workspaceId, person);
  const warehouse = await warehouses.maintenance(organizationId, workspaceId);
  const counts = await countRows({ database, warehouse }, key);
  return { ...person, confirmation: digestOf(person), tables: openReceipt(counts) };
}
