import { notifications } from '@mantine/notifications';
import type { TypedDocumentNode } from '@urql/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { problemOf } from './problem.ts';

/** The payload of every mutation: its result, or the reasons for a refusal. */
type Payload = {
  readonly userErrors: readonly {
    readonly message: string;
    readonly field: readonly string[] | null;
    readonly code?: string;
  }[];
};

export type Refusal = {
  readonly message: string;
  readonly field?: string | undefined;
  /** Where the input is nested: all of the path, whose last part is `field`. */
  readonly path?: readonly string[] | undefined;
  /** Present if the mutation selects it. */
  readonly code?: string | undefined;
};

type Action<Data, Variables> = {
  /**
   * Undefined if the mutation was refused; `refusals` then has the reasons, which are also shown as
   * a notification if no component shows them.
   */
  readonly run: (variables: Variables) => Promise<Data | undefined>;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly forget: () => void;
};

type ActionOptions = {
  /** The notification after success. */
  readonly done?: string;
  /** A form shows refusals beside its fields; else they are notified. */
  readonly isFormShowing?: boolean;
  /** For actions that move money: the idempotency key changes only once the outcome is known. */
  readonly once?: OnceKey;
  /** By code: what is shown instead of the API's message. The mutation must select `code`. */
  readonly messages?: Readonly<Record<string, string>>;
  /** The GraphQL types that it changes without returning them; their queries are refetched. */
  readonly changes?: readonly string[];
};

/** The outcome is unknown or pending: a retry with the same key resumes the action. */
const UNDECIDED = new Set(['GATEWAY_UNAVAILABLE', 'GATEWAY_BUSY', 'GATEWAY_DENIED']);

/**
 * A mutation with its states for the user: pending, succeeded with a notification, or refused with
 * a reason. The answer's fields are payloads, each with its userErrors. A mutation that moves money
 * has an idempotency key as a variable, created when the form opens (`useOnceKey`), so that a
 * second click does not repeat it.
 */
export function useAction<Data, Variables extends Record<string, unknown>>(
  mutation: TypedDocumentNode<Data, Variables>,
  { done, isFormShowing = false, once, messages, changes }: ActionOptions = {},
): Action<Data, Variables> {
  const [{ fetching }, mutate] = useMutation<Data, Variables>(mutation);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const run = async (variables: Variables) => {
    setRefusals([]);
    const { data, error } = await mutate(
      variables,
      changes && { additionalTypenames: [...changes] },
    );
    const found = error === undefined ? refusalsOf(data, messages) : [refusalOf(problemOf(error))];
    setRefusals(found);
    if (error === undefined && !found.some(({ code }) => UNDECIDED.has(code ?? ''))) once?.renew();
    if (found.length === 0) {
      if (done !== undefined) notifications.show({ message: done });
      return data ?? undefined;
    }
    if (!isFormShowing) {
      const message = found.map(one => one.message).join(' ');
      notifications.show({ title: 'Couldn’t do that', message, color: 'red', autoClose: 10_000 });
    }
    return undefined;
  };
  return { run, isRunning: fetching, refusals, forget: () => setRefusals([]) };
}

function refusalsOf(data: unknown, messages: ActionOptions['messages'] = {}): Refusal[] {
  return Object.values((data ?? {}) as Record<string, Payload | null>).flatMap(payload =>
    (payload?.userErrors ?? []).map(({ message, field, code }) => ({
      message: messages[code ?? ''] ?? message,
      field: field?.at(-1),
      path: field ?? undefined,
      code,
    })),
  );
}

function refusalOf({ title, detail, code }: ReturnType<typeof problemOf>): Refusal {
  return { message: [title, detail].join(': ') + (code === undefined ? '' : ` (${code})`) };
}

export type OnceKey = { readonly key: string; readonly renew: () => void };

/** The same for all tries of one deed, another after `renew`. */
export function useOnceKey(): OnceKey {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return { key, renew: () => setKey(crypto.randomUUID()) };
}
