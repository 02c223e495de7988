// Declares mutations, all of the form `nounVerb(id, input): NounVerbPayload`. `userErrors` of the
// payload holds the errors that a form can show. The action's zod contract validates the input of
// both GraphQL and REST; all its issues are returned at once.

import type { FieldRef, InputFieldMap, ObjectFieldsShape, ObjectRef } from '@pothos/core';
import { type GraphQLResolveInfo, type GraphQLSchema, isInputObjectType } from 'graphql';
import type { ZodObject, z } from 'zod';
import { PROBLEMS, type ProblemCode } from '../../../schema/values/problem.ts';
import type { Context } from '../context.ts';
import { contractRejections } from '../contract-rejections.ts';
import type { AccessRule } from '../permit.ts';
import { Rejected, type Rejection, reject } from '../rejected.ts';
import { type Action, runAction, runPlatformAction } from '../run-action.ts';
import { builder, type GraphContext, type SchemaTypes } from './builder.ts';
import { expose } from './fields.ts';
import { idempotencyKeyOf } from './idempotent-directive.ts';
import { forgetLoaded } from './loader.ts';
import { isNodeId } from './node-id.ts';

type Payload<O> = {
  /** The output of the action; undefined if it was rejected. */
  readonly result: O | undefined;
  readonly userErrors: readonly Rejection[];
};

type MutationOptions<C extends ZodObject, O> = {
  /** The noun, then the verb: `sdkKeyCreate`. Also the scope of its idempotency keys. */
  readonly name: string;
  readonly description: string;
  readonly access: AccessRule;
  /** The type of the object to change. Adds the argument `id`; the action receives the UUID. */
  readonly target?: ObjectRef<SchemaTypes, unknown>;
  /** The fields of the contract except `id`. Omitted if there are none. */
  readonly input?: (t: InputFields) => InputFieldMap;
  readonly contract: C;
  /** The codes returned in `userErrors`, besides BAD_USER_INPUT. All others are top-level errors. */
  readonly codes: readonly ProblemCode[];
  readonly action?: Action<z.output<C>, O>;
  /** Replaces the action if the work takes several transactions with calls to another service in
   * between. It handles the idempotency key itself. */
  readonly process?: Process<z.output<C>, O>;
  /** Nullable fields with the outcome. */
  readonly payload: ObjectFieldsShape<SchemaTypes, Payload<O>>;
  /** `required` for mutations that move money. By default, a key is optional. */
  readonly idempotency?: 'required';
};

type Process<I, O> = (context: Context, input: I, idempotencyKey: string | undefined) => Promise<O>;

/** The argument of `payload`. */
export type PayloadFields<O> = Parameters<ObjectFieldsShape<SchemaTypes, Payload<O>>>[0];

/** A payload field with the changed object, loaded again after the change. */
export function changed<T, O extends { readonly id: string }>(
  t: PayloadFields<O>,
  type: ObjectRef<SchemaTypes, T>,
  load: (graph: GraphContext, id: string) => Promise<T | null>,
  description: string,
) {
  return t.field({
    type,
    description,
    resolve: ({ result }: Payload<O>, _args: object, graph: GraphContext) =>
      result && load(graph, result.id),
  } as never) as FieldRef<SchemaTypes, T | null>;
}

/** A payload with only the changed object. */
export function changedObject<T, O extends { readonly id: string }>(
  name: string,
  type: ObjectRef<SchemaTypes, T>,
  load: (graph: GraphContext, id: string) => Promise<T | null>,
  description: string,
) {
  return (t: PayloadFields<O>) => ({ [name]: changed(t, type, load, description) });
}

export type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;
type Arguments = { id?: { typename: string; id: string }; input?: Record<string, unknown> };

/** As in Shopify's API. */
const MUTATION_COST = 10;

const UserError = builder.interfaceRef<Rejection>('UserError').implement({
  description: 'An error that caused a mutation to fail.',
  authScopes: { member: true },
  fields: t => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'A human-readable message.',
    }),
    field: t.stringList({
      description:
        'The path of the invalid argument; null if the error is not specific to one argument.',
      resolve: ({ field }) => (field === undefined ? null : [...field]),
    }),
  }),
});

type Declared = Pick<MutationOptions<ZodObject, unknown>, 'name' | 'target' | 'contract'>;

const declared: Declared[] = [];

/** The mutations whose GraphQL input and contract have different fields. */
export function contractMismatches(schema: GraphQLSchema): string[] {
  return declared.flatMap(({ name, target, contract }) => {
    const input = schema.getType(`${pascalCase(name)}Input`);
    const fields = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    if (target !== undefined) fields.push('id');
    const contractFields = Object.keys(contract.shape);
    const isSame = fields.toSorted().join() === contractFields.toSorted().join();
    return isSame ? [] : [`${name}: input has ${fields.join()}; contract ${contractFields.join()}`];
  });
}

export function mutation<C extends ZodObject, O>(options: MutationOptions<C, O>): void {
  declared.push(options);
  const payload = payloadType(options);
  const input = inputType(options);
  const { description, access, target } = options;
  builder.mutationField(options.name, t =>
    t.field({
      type: payload,
      description,
      authScopes: { [access]: true },
      complexity: MUTATION_COST,
      extensions: { needsIdempotencyKey: options.idempotency === 'required' },
      args: {
        ...(target && {
          id: t.arg.globalID({
            required: true,
            description: `The global ID of the ${target.name}.`,
          }),
        }),
        ...(input && {
          input: t.arg({
            type: input,
            required: true,
            description: `The parameters for ${options.name}.`,
          }),
        }),
      },
      resolve: (_root, args, graph, info) => perform(options, args as Arguments, graph, info),
    }),
  );
}

async function perform<C extends ZodObject, O>(
  options: MutationOptions<C, O>,
  args: Arguments,
  graph: GraphContext,
  info: GraphQLResolveInfo,
): Promise<Payload<O>> {
  const idempotencyKey = idempotencyKeyOf(info);
  if (idempotencyKey === undefined && options.idempotency === 'required')
    return reject('INVALID_IDEMPOTENCY_KEY', {
      message: `${options.name} requires the directive @idempotent(key: "…").`,
    });
  // Pothos's `for` is not used, because its message repeats the ID.
  if (args.id !== undefined && args.id.typename !== options.target?.name)
    return reject('INVALID_ID', { field: ['id'] });
  const given = { ...plain(args.input ?? {}), ...(args.id && { id: args.id.id }) };
  try {
    const input = options.contract.safeParse(given);
    if (!input.success) throw new Rejected(contractRejections(input.error));
    const result = await act(options, graph, input.data, idempotencyKey);
    return { result, userErrors: [] };
  } catch (error) {
    if (!(error instanceof Rejected) || !isForUsers(error, options.codes)) throw error;
    for (const { code } of error.rejections) graph.context.deps.metrics.refusals.inc({ code });
    return { result: undefined, userErrors: error.rejections.map(withArgumentPath) };
  } finally {
    forgetLoaded(graph);
  }
}

/** Actions of platform admins can access all organizations. */
function act<C extends ZodObject, O>(
  { name, access, action, process }: MutationOptions<C, O>,
  { context }: GraphContext,
  input: z.output<C>,
  idempotencyKey: string | undefined,
): Promise<O> {
  if (process !== undefined) return process(context, input, idempotencyKey);
  if (action === undefined) throw new Error(`${name} has neither an action nor a process`);
  if (access !== 'platformAdmin')
    return runAction(context, action, input, { operation: name, idempotencyKey });
  if (idempotencyKey === undefined) return runPlatformAction(context, action, input);
  return reject('INVALID_IDEMPOTENCY_KEY', {
    message: `${name} does not support idempotency keys.`,
  });
}

function isForUsers({ rejections }: Rejected, codes: readonly ProblemCode[]): boolean {
  return rejections.every(({ code }) => code === 'BAD_USER_INPUT' || codes.includes(code));
}

/** An action names the fields of its own input. In GraphQL, all but the ID are in `input`. */
function withArgumentPath(rejection: Rejection): Rejection {
  const { field } = rejection;
  if (field === undefined || field[0] === 'id') return rejection;
  return { ...rejection, field: ['input', ...field] };
}

/** Replaces decoded global IDs with the UUIDs that actions expect, also in lists of input objects. JSON
 * values are left unchanged. */
function plain(input: object): Record<string, unknown> {
  const entries = Object.entries(input).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map(plainItem) : idOf(value),
  ]);
  return Object.fromEntries(entries);
}

function plainItem(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || isNodeId(item)) return idOf(item);
  if (!Object.values(item).some(isNodeId)) return item;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, idOf(value)]));
}

function idOf(value: unknown): unknown {
  return isNodeId(value) ? value.id : value;
}

function payloadType<C extends ZodObject, O>(
  options: MutationOptions<C, O>,
): ObjectRef<SchemaTypes, Payload<O>> {
  const typeName = pascalCase(options.name);
  const code = builder.enumType(`${typeName}UserErrorCode`, {
    description: `The error codes that ${options.name} can return.`,
    values: Object.fromEntries(
      ['BAD_USER_INPUT' as const, ...options.codes].map(name => [
        name,
        { description: PROBLEMS[name].title },
      ]),
    ),
  });
  const userError = builder.objectRef<Rejection>(`${typeName}UserError`).implement({
    description: `An error returned by ${options.name}.`,
    authScopes: { member: true },
    interfaces: [UserError],
    isTypeOf: () => true,
    fields: t => ({
      ...expose(t, code, { code: 'A machine-readable code.' }),
    }),
  });
  return builder.objectRef<Payload<O>>(`${typeName}Payload`).implement({
    description: `The result of ${options.name}.`,
    authScopes: { member: true },
    fields: t => ({
      ...options.payload(t),
      userErrors: t.field({
        type: [userError],
        nullable: false,
        description: 'The errors that caused the mutation to fail; empty if it succeeded.',
        complexity: 0,
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
}

function inputType<C extends ZodObject, O>({ name, input }: MutationOptions<C, O>) {
  if (input === undefined) return undefined;
  return builder.inputType(`${pascalCase(name)}Input`, {
    description: `The input for ${name}.`,
    fields: input,
  });
}

function pascalCase(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
