import { z } from 'zod';

export const cellUpdateContract = z.strictObject({ id: z.uuid(), isEnabled: z.boolean() });
export type CellUpdate = z.output<typeof cellUpdateContract>;
