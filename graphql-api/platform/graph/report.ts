// The common parts of all reports: a required time range, a cost by the number of ClickHouse queries,
// a nullable result, and rows in which a missing string is empty and times are in milliseconds.

import type {
  ArgBuilder,
  InputFieldMap,
  InputShapeFromFields,
  InterfaceRef,
  ObjectRef,
} from '@pothos/core';
import type { Context } from '../context.ts';
import type { Page, PageRequest } from '../database/page.ts';
import { LIST_DAYS_MAX, type ReportRange, SERIES_DAYS_MAX } from '../warehouse/report-range.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { connectionOfPage, connectionTypeBy, pageArgs } from './connection.ts';
import { eachField, type Fields, type NamesOf } from './fields.ts';
import { parsed, rangeArg, reportCost, reportPageCost } from './report-args.ts';

type SeriesReport<T, Args extends InputFieldMap> = {
  readonly type: ObjectRef<SchemaTypes, T> | readonly [ObjectRef<SchemaTypes, T>];
  readonly description: string;
  /** The maximum length of the range. Defaults to a quarter. */
  readonly daysMax?: number;
  /** In addition to `range`. */
  readonly args?: (arg: ArgBuilder<SchemaTypes>) => Args;
  /** Defaults to the cost of one query. */
  readonly complexity?: { readonly field: number; readonly multiplier: number };
  readonly read: (
    context: Context,
    input: { range: ReportRange } & InputShapeFromFields<NoInfer<Args>>,
  ) => Promise<T | readonly T[]>;
};

/** Adds a root field with a series of the viewer's workspace. */
export function seriesQuery<T, Args extends InputFieldMap = Record<never, never>>(
  name: string,
  report: SeriesReport<T, Args>,
): void {
  const { type, description, args, read } = report;
  const { daysMax = SERIES_DAYS_MAX, complexity = reportCost(1) } = report;
  builder.queryField(name, t =>
    t.field({
      type,
      description,
      authScopes: { member: true },
      args: { range: rangeArg(t.arg, daysMax), ...args?.(t.arg) },
      complexity,
      resolve: (_root: object, input: never, { context }: { context: Context }) =>
        read(context, input),
    } as never),
  );
}

type ListReport<T, Args extends InputFieldMap> = {
  /** The type of its items. */
  readonly type: ObjectRef<SchemaTypes, T> | InterfaceRef<SchemaTypes, T>;
  readonly description: string;
  readonly cursorOf: (item: T) => string;
  /** In addition to `range` and those of a page. */
  readonly args: (arg: ArgBuilder<SchemaTypes>) => Args;
  /** The maximum number of queries for a page. */
  readonly questions: number;
  readonly page: (
    context: Context,
    input: PageRequest & { range: ReportRange } & InputShapeFromFields<NoInfer<Args>>,
  ) => Promise<Page<T>>;
};

/** Adds a root field that lists single rows of the viewer's workspace, newest first. */
export function listQuery<T extends object, Args extends InputFieldMap>(
  name: string,
  { type, description, cursorOf, args, questions, page }: ListReport<T, Args>,
): void {
  const connection = connectionTypeBy(type.name, type, cursorOf);
  builder.queryField(name, t =>
    t.field({
      type: connection,
      description,
      authScopes: { member: true },
      args: { range: rangeArg(t.arg, LIST_DAYS_MAX), ...pageArgs(t.arg), ...args(t.arg) },
      complexity: reportPageCost(questions),
      resolve: async (_root: object, input: never, { context }: { context: Context }) =>
        connectionOfPage(await page(context, input), input),
    } as never),
  );
}

/** Strings that are null if they are empty, because ClickHouse stores a missing string as empty. */
export function texts<Row, Names extends NamesOf<Row, string>>(
  t: Fields<Row>,
  descriptions: Readonly<Record<Names, string>>,
) {
  return eachField(descriptions, (name, description) =>
    t.string({ description, resolve: (row: Row) => (row[name] as string) || null } as never),
  );
}

/** Times of the properties `<name>Ms`, in milliseconds. */
export function times<Row, Names extends string>(
  t: Fields<Row & Readonly<Record<`${Names}Ms`, number>>>,
  descriptions: Readonly<Record<Names, string>>,
) {
  return eachField(descriptions, (name, description) =>
    t.field({
      type: 'DateTime',
      nullable: false,
      description,
      resolve: (row: Record<string, number>) => new Date(row[`${name}Ms`]!),
    } as never),
  );
}

/** Values stored as JSON texts. */
export function storedJson<Row, Names extends NamesOf<Row, string>>(
  t: Fields<Row>,
  descriptions: Readonly<Record<Names, string>>,
) {
  return eachField(descriptions, (name, description) =>
    t.field({
      type: 'JSON',
      description,
      resolve: (row: Row) => parsed(row[name] as string),
    } as never),
  );
}
