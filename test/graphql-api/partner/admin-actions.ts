import type { Caller } from './clocked-api.ts';

export function adminActions(admin: () => Caller) {
  async function errorsOf(name: string, variables: Parameters<Caller['mutate']>[2]) {
    const { userErrors } = await admin().mutate(name, '__typename', variables);
    return (userErrors as UserError[]).map(
      ({ code, field }) => `${code} ${field?.join('.') ?? ''}`,
    );
  }
  return { errorsOf };
}

type UserError = { readonly code: string; readonly field: string[] | null };

export async function wallet(caller: Caller) {
  return (await caller.get('/api/v1/referrals/wallet')).json();
}
