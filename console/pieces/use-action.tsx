import { notifications } from '@mantine/notifications';
import type { TypedDocumentNode } from '@urql/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { problemOf } from './problem.ts';

/** Every mutation's payload: what came of it, or why nothing was done. */
type Payload = {
  readonly userErrors: readonly {
    readonly message: string;
    readonly field: readonly string[] | null;
  }[];
};

export type Refusal = { readonly message: string; readonly field?: string | undefined };

type Action<Data, Variables> = {
  /** Undefined where it was refused; then `refusals` say why, and a notification too if nobody shows them. */
  readonly run: (variables: Variables) => Promise<Data | undefined>;
  readonly isRunning: boolean;
  readonly refusals: readonly Refusal[];
  readonly forget: () => void;
};

type ActionOptions = {
  /** Said when it is done. */
  readonly done?: string;
  /** A form shows refusals beside its fields; else they are notified. */
  readonly isFormShowing?: boolean;
};

/**
 * A mutation as people meet it: pending, done with a word, or refused with a reason. The answer's
 * fields are payloads, each with its userErrors. What moves money takes an idempotency key as a
 * variable, made when the form was opened (`useOnceKey`), so that a second click is the same deed.
 */
export function useAction<Data, Variables extends Record<string, unknown>>(
  mutation: TypedDocumentNode<Data, Variables>,
  { done, isFormShowing = false }: ActionOptions = {},
): Action<Data, Variables> {
  const [{ fetching }, mutate] = useMutation<Data, Variables>(mutation);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const run = async (variables: Variables) => {
    setRefusals([]);
    const { data, error } = await mutate(variables);
    const found = error === undefined ? refusalsOf(data) : [refusalOf(problemOf(error))];
    setRefusals(found);
    if (found.length === 0) {
      if (done !== undefined) notifications.show({ message: done });
      return data ?? undefined;
    }
    if (!isFormShowing) {
      const message = found.map(one => one.message).join(' ');
      notifications.show({ title: 'That was not done', message, color: 'red', autoClose: 10_000 });
    }
    return undefined;
  };
  return { run, isRunning: fetching, refusals, forget: () => setRefusals([]) };
}

function refusalsOf(data: unknown): Refusal[] {
  return Object.values((data ?? {}) as Record<string, Payload | null>).flatMap(payload =>
    (payload?.userErrors ?? []).map(({ message, field }) => ({ message, field: field?.at(-1) })),
  );
}

function refusalOf({ title, detail, code }: ReturnType<typeof problemOf>): Refusal {
  return { message: [title, detail].join(': ') + (code === undefined ? '' : ` (${code})`) };
}

/** The same for all tries of one deed, another after `renew`. */
export function useOnceKey(): { readonly key: string; readonly renew: () => void } {
  const [key, setKey] = useState(() => crypto.randomUUID());
  return { key, renew: () => setKey(crypto.randomUUID()) };
}
