// Every mutation is declared here in the same shape: `nounVerb(id, input): NounVerbPayload`, whose
// `userErrors` hold what a form can show. The zod contract of the action is what checks the input,
// for GraphQL and REST alike; its complaints become user errors, all at once.

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
import { idempotencyKeyOf } from './idempotent-directive.ts';
import { forgetLoaded } from './loader.ts';
import { isNodeId } from './node-id.ts';

/** `result` is what the action gave; undefined where it was refused. */
export type Payload<O> = {
  readonly result: O | undefined;
  readonly userErrors: readonly Rejection[];
};

export type MutationOptions<C extends ZodObject, O> = {
  /** Object first: `sdkKeyCreate`. Also the operation under which idempotency keys are kept. */
  readonly name: string;
  readonly description: string;
  readonly access: AccessRule;
  /** The thing to change: adds the argument `id`, given to the action as its UUID. */
  readonly target?: ObjectRef<SchemaTypes, unknown>;
  /** The same fields as the contract has, but for `id`. Left out where there are none. */
  readonly input?: (t: InputFields) => InputFieldMap;
  readonly contract: C;
  /** What the action may refuse, beside BAD_USER_INPUT; anything else is a top-level error. */
  readonly codes: readonly ProblemCode[];
  readonly action?: Action<z.output<C>, O>;
  /** Instead of an action, what is several transactions with a call to somebody else between them. It
   * keeps the idempotency key itself. */
  readonly process?: Process<z.output<C>, O>;
  /** Nullable fields that show what was done. */
  readonly payload: ObjectFieldsShape<SchemaTypes, Payload<O>>;
  /** `required` for what moves money. Left out: accepted. */
  readonly idempotency?: 'required';
};

export type Process<I, O> = (
  context: Context,
  input: I,
  idempotencyKey: string | undefined,
) => Promise<O>;

/** What `payload` is given. */
export type PayloadFields<O> = Parameters<ObjectFieldsShape<SchemaTypes, Payload<O>>>[0];

/** A payload field that shows what the action changed, read again after the change. */
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

type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;
type Arguments = { id?: { typename: string; id: string }; input?: Record<string, unknown> };

/** What Shopify counts for a mutation. */
const MUTATION_COST = 10;

const UserError = builder.interfaceRef<Rejection>('UserError').implement({
  description: 'Why a mutation did nothing, for people to mend.',
  authScopes: { member: true },
  fields: t => ({
    message: t.exposeString('message', {
      nullable: false,
      description: 'What is wrong, in words.',
    }),
    field: t.stringList({
      description: 'The path of the argument at fault; null where it is none in particular.',
      resolve: ({ field }) => (field === undefined ? null : [...field]),
    }),
  }),
});

type Declared = Pick<MutationOptions<ZodObject, unknown>, 'name' | 'target' | 'contract'>;

const declared: Declared[] = [];

/** Mutations whose GraphQL input and contract name different fields: one would be ignored. */
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
          id: t.arg.globalID({ required: true, description: 'What to change.' }),
        }),
        ...(input && {
          input: t.arg({ type: input, required: true, description: 'What to change it to.' }),
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
      message: `${options.name} needs @idempotent(key: "…").`,
    });
  // Not by Pothos's `for`, whose message repeats the id.
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

/** Platform admins work across organisations, so their actions see all of them. */
function act<C extends ZodObject, O>(
  { name, access, action, process }: MutationOptions<C, O>,
  { context }: GraphContext,
  input: z.output<C>,
  idempotencyKey: string | undefined,
): Promise<O> {
  if (process !== undefined) return process(context, input, idempotencyKey);
  if (action === undefined) throw new Error(`${name} does nothing`);
  if (access !== 'platformAdmin')
    return runAction(context, action, input, { operation: name, idempotencyKey });
  if (idempotencyKey === undefined) return runPlatformAction(context, action, input);
  return reject('INVALID_IDEMPOTENCY_KEY', { message: `${name} takes no idempotency key.` });
}

function isForUsers({ rejections }: Rejected, codes: readonly ProblemCode[]): boolean {
  return rejections.every(({ code }) => code === 'BAD_USER_INPUT' || codes.includes(code));
}

/** Actions know their input's fields; here all but the id are inside the argument `input`. */
function withArgumentPath(rejection: Rejection): Rejection {
  const { field } = rejection;
  if (field === undefined || field[0] === 'id') return rejection;
  return { ...rejection, field: ['input', ...field] };
}

/** Global ids are decoded to {typename, id}; an action knows only the UUID. */
function plain(input: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(input).map(([name, value]) => [name, plainValue(value)]);
  return Object.fromEntries(entries);
}

/** Down to the fields of listed inputs; what clients send as JSON has no ids of ours. */
function plainValue(value: unknown): unknown {
  if (isNodeId(value)) return value.id;
  return Array.isArray(value) ? value.map(plainItem) : value;
}

function plainItem(item: unknown): unknown {
  if (isNodeId(item)) return item.id;
  if (typeof item !== 'object' || item === null) return item;
  if (!Object.values(item).some(isNodeId)) return item;
  const entries = Object.entries(item).map(([name, value]) => [
    name,
    isNodeId(value) ? value.id : value,
  ]);
  return Object.fromEntries(entries);
}

function payloadType<C extends ZodObject, O>(
  options: MutationOptions<C, O>,
): ObjectRef<SchemaTypes, Payload<O>> {
  const typeName = pascalCase(options.name);
  const code = builder.enumType(`${typeName}UserErrorCode`, {
    description: `Why ${options.name} may be refused.`,
    values: Object.fromEntries(
      ['BAD_USER_INPUT' as const, ...options.codes].map(name => [
        name,
        { description: PROBLEMS[name].title },
      ]),
    ),
  });
  const userError = builder.objectRef<Rejection>(`${typeName}UserError`).implement({
    description: `Why ${options.name} did nothing.`,
    authScopes: { member: true },
    interfaces: [UserError],
    isTypeOf: () => true,
    fields: t => ({
      code: t.field({
        type: code,
        nullable: false,
        description: 'The same for programs.',
        resolve: rejection => rejection.code,
      }),
    }),
  });
  return builder.objectRef<Payload<O>>(`${typeName}Payload`).implement({
    description: `What ${options.name} did.`,
    authScopes: { member: true },
    fields: t => ({
      ...options.payload(t),
      userErrors: t.field({
        type: [userError],
        nullable: false,
        description: 'Why nothing was done; empty when it was.',
        complexity: 0,
        resolve: ({ userErrors }) => userErrors,
      }),
    }),
  });
}

function inputType<C extends ZodObject, O>({ name, input }: MutationOptions<C, O>) {
  if (input === undefined) return undefined;
  return builder.inputType(`${pascalCase(name)}Input`, {
    description: `What ${name} is told.`,
    fields: input,
  });
}

function pascalCase(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
