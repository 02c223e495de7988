import { beforeAll } from 'vitest';
import { type Caller, useClockedApi } from './clocked-api.ts';
import { type Program, programOf } from './program.ts';

/** The partner program as its platform admin sees it. */
export function useAdmin() {
  const api = useClockedApi();
  let program: Program;
  beforeAll(async () => {
    program = await programOf(api());
  });
  const admin = () => program.admin;
  async function errorsOf(name: string, variables: Parameters<Caller['mutate']>[2]) {
    const { userErrors } = await admin().mutate(name, '__typename', variables);
    return (userErrors as UserError[]).map(
      ({ code, field }) => `${code} ${field?.join('.') ?? ''}`,
    );
  }
  return { api, program: () => program, admin, errorsOf };
}

type UserError = { readonly code: string; readonly field: string[] | null };

export async function wallet(caller: Caller) {
  return (await caller.get('/api/v1/referrals/wallet')).json();
}
