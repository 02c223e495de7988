import { z } from 'zod';

export const workspaceMoveContract = z.strictObject({
  workspaceId: z.uuid(),
  /** The slug of the cell to move to. */
  cell: z.string(),
});

export const workspaceMoveOfContract = z.strictObject({ workspaceId: z.uuid() });
