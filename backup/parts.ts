/** The parts of a backup, in the order in which they are created. */
export const PARTS = ['clickhouse', 'postgres', 'spool'] as const;
export type Part = (typeof PARTS)[number];
