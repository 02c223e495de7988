// Fields that only return a value: a property of the row, unchanged, or the object that it refers
// to. A field that calculates, or takes arguments, is a `t.field`.

import type { FieldMap, FieldRef, ObjectRef } from '@pothos/core';
import { builder, type GraphContext, type SchemaTypes } from './builder.ts';
import { encodeNodeId, type NodeId } from './node-id.ts';

export type Fields<Row> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Row>;

/** The fields of an interface, which TypeScript cannot infer from Pothos's other builder. */
export function ofInterface<Row>(
  t: PothosSchemaTypes.InterfaceFieldBuilder<SchemaTypes, Row>,
): Fields<Row> {
  return t as never;
}

export type NamesOf<Row, Value> = {
  [Name in keyof Row & string]-?: Row[Name] extends Value ? Name : never;
}[keyof Row & string];

type Scalars = {
  ID: string;
  String: string;
  Int: number;
  Float: number;
  Boolean: boolean;
  DateTime: Date;
  Date: string;
  JSON: unknown;
};

/** In GraphQL's notation; an enum or object, which is then never null; or a list of them. */
type FieldType =
  | keyof Scalars
  | `${keyof Scalars}!`
  | `[${keyof Scalars}!]!`
  | { readonly $inferType: unknown }
  | readonly [{ readonly $inferType: unknown }];

type ValueOf<Type> = Type extends `[${infer Item extends keyof Scalars}!]!`
  ? readonly Scalars[Item][]
  : Type extends `${infer Name extends keyof Scalars}!`
    ? Scalars[Name]
    : Type extends keyof Scalars
      ? Scalars[Type] | null | undefined
      : Type extends { readonly $inferType: infer Value }
        ? Value
        : Type extends readonly [{ readonly $inferType: infer Item }]
          ? readonly Item[]
          : never;

/**
 * Shows properties under their own names: `...expose(t, 'Int!', { clicks: 'The number of clicks.' })`.
 */
export function expose<Row, Type extends FieldType, Names extends NamesOf<Row, ValueOf<Type>>>(
  t: Fields<Row>,
  type: Type,
  descriptions: Readonly<Record<Names, string>>,
) {
  const isNullable = typeof type === 'string' && !type.endsWith('!');
  const shown = typeof type === 'string' ? scalarOf(type) : type;
  return eachField(descriptions, (name, description) =>
    t.field({
      type: shown,
      nullable: isNullable,
      description,
      resolve: (row: Row) => row[name],
    } as never),
  );
}

function scalarOf(type: string): string | readonly [string] {
  const name = type.replaceAll(/[[\]!]/g, '');
  return type.startsWith('[') ? [name] : name;
}

/** One field per description. */
export function eachField<Names extends string>(
  descriptions: Readonly<Record<Names, string>>,
  fieldOf: (name: Names, description: string) => unknown,
): Record<Names, FieldRef<SchemaTypes, unknown>> {
  const entries = Object.entries<string>(descriptions);
  return Object.fromEntries(
    entries.map(([name, description]) => [name, fieldOf(name as Names, description)]),
  ) as Record<Names, FieldRef<SchemaTypes, unknown>>;
}

type Load<T> = (graph: GraphContext, id: string) => Promise<T | null>;

/** The object whose ID is a property of the row; null if it does not exist. */
export function linked<Row, T>(
  t: Fields<Row>,
  name: NamesOf<Row, string | null | undefined>,
  type: ObjectRef<SchemaTypes, T>,
  load: Load<T>,
  description: string,
) {
  return t.field({
    type,
    description,
    resolve: (row: Row, _args: object, graph: GraphContext) => {
      const id = row[name] as string | null | undefined;
      return id == null ? null : load(graph, id);
    },
  } as never) as FieldRef<SchemaTypes, T | null>;
}

/** The global ID of an object whose ID is a property of the row. */
export function globalId<Row>(
  t: Fields<Row>,
  name: NamesOf<Row, string>,
  typename: string,
  description: string,
) {
  return t.id({
    nullable: false,
    description,
    resolve: (row: Row) => encodeNodeId(typename, row[name] as string),
  } as never) as FieldRef<SchemaTypes, string>;
}

/** An object with a global ID, for members. `load` returns only rows of the viewer's organization. */
export function memberNode<T extends { readonly id: string }>(
  name: string,
  load: Load<T>,
  options: { readonly description: string; readonly fields: (t: Fields<T>) => FieldMap },
): ObjectRef<SchemaTypes, T> {
  return builder.node(builder.objectRef<T>(name), {
    authScopes: { member: true },
    id: { resolve: ({ id }: T) => id },
    loadOne: (id: string, graph: GraphContext) => load(graph, id),
    ...options,
  } as never) as ObjectRef<SchemaTypes, T>;
}

/** An object without a global ID, for members. */
export function memberObject<T>(
  name: string,
  options: { readonly description: string; readonly fields: (t: Fields<T>) => FieldMap },
): ObjectRef<SchemaTypes, T> {
  return builder
    .objectRef<T>(name)
    .implement({ authScopes: { member: true }, ...options } as never) as ObjectRef<SchemaTypes, T>;
}

/** Adds a root field that returns one object by its global ID. */
export function nodeQuery<T>(
  name: string,
  type: ObjectRef<SchemaTypes, T>,
  load: Load<T>,
  { description, id: idDescription }: { readonly description: string; readonly id: string },
): void {
  builder.queryField(name, t =>
    t.field({
      type,
      description,
      authScopes: { member: true },
      args: { id: t.arg.globalID({ required: true, description: idDescription }) },
      resolve: (_root: object, { id }: { id: NodeId }, graph: GraphContext) =>
        id.typename === type.name ? load(graph, id.id) : null,
    } as never),
  );
}
