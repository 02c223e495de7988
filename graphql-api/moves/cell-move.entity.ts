import { defineEntity, p } from '@mikro-orm/core';
import { instant } from '../platform/database/columns.ts';
import type { TableReport } from './compare-cells.ts';

export const CELL_MOVE_STATES = {
  COPYING: 'Rows are being copied. The workspace still uses its former cell.',
  SWITCHED:
    'The workspace uses the new cell. Rows that arrived in the former one are being copied to it.',
  VERIFIED:
    'The new cell has every row of the former one. The rows in the former cell have not been deleted yet.',
  DONE: 'The rows in the former cell have been deleted.',
  TAKING_BACK:
    'The workspace uses its former cell again. Rows that arrived in the other cell are being copied back.',
  TAKEN_BACK: 'The workspace uses its former cell, which has every row.',
} as const;
export type CellMoveState = keyof typeof CELL_MOVE_STATES;

export const CellMoveSchema = defineEntity({
  name: 'CellMove',
  tableName: 'cell_moves',
  properties: {
    id: p.uuid().primary(),
    workspaceId: p.uuid(),
    fromCellId: p.uuid(),
    toCellId: p.uuid(),
    state: p.text().$type<CellMoveState>(),
    startedBy: p.text(),
    startedAt: instant(),
    switchedAt: instant().nullable(),
    verifiedAt: instant().nullable(),
    finishRequestedAt: instant().nullable(),
    finishedAt: instant().nullable(),
    checkedAt: instant().nullable(),
    rowsCompared: p.bigint().defaultRaw('0'),
    rowsCopied: p.bigint().defaultRaw('0'),
    report: p.json<readonly TableReport[]>().default('[]'),
    waitsFor: p.text().nullable(),
  },
});

/** The move of a workspace to another cell. */
export class CellMove extends CellMoveSchema.class {}
CellMoveSchema.setClass(CellMove);
