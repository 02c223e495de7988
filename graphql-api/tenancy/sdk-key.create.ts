import type { ActionScope } from '../platform/run-action.ts';
import type { SdkKeyCreate } from './sdk-key.contract.ts';
import { issueSdkKey } from './sdk-key.issue.ts';

/** Creates an SDK key in the viewer's workspace. Ingest accepts it within a second. */
export async function sdkKeyCreate(
  scope: ActionScope,
  input: SdkKeyCreate,
): Promise<{ readonly id: string }> {
  const settings = {
    name: input.name,
    minuteCap: input.minuteCap ?? null,
    hourCap: input.hourCap ?? null,
    origins: input.origins ?? [],
  };
  const id = await issueSdkKey(scope, settings);
  await scope.audit({
    action: 'sdk_key.create',
    subjectType: 'sdk_key',
    subjectId: id,
    after: settings,
  });
  return { id };
}
