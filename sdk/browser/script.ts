// The entry of the script tag:
//
//   <script async src="https://HOST/sdk.js" data-write-key="KEY"></script>
//
// The global `engagement` takes the name of a method and its arguments. The page's own line defines it
// before this script has loaded, as a function that collects the calls.

import { PageClient } from './client.ts';
import type { Client } from './types.ts';

/** Set by sdk/build.ts: immutable paths. */
declare const IN_APP_FILE: string;
declare const PUSH_FILE: string;

type Call = [method: string, ...values: unknown[]];
type Global = ((...call: Call) => unknown) & { q?: Call[] };

const page = globalThis as { engagement?: Global };
const script = document.currentScript as HTMLScriptElement;
const { writeKey, consent } = script.dataset;
const host = new URL(script.src).origin;

if (writeKey === undefined) console.error('engagement: no data-write-key');
else start(writeKey);

function start(key: string): void {
  const options = { writeKey: key, host, consentRequired: consent === 'required' };
  const client = new PageClient(options, {
    inApp: () => import(host + IN_APP_FILE),
    push: () => import(host + PUSH_FILE),
  });
  const earlier = page.engagement?.q ?? [];
  page.engagement = (...call) => perform(client, call);
  for (const call of earlier) perform(client, call);
}

/** A call with an unknown name must not stop the calls after it. */
function perform(client: Client, [method, ...values]: Call): unknown {
  if (method === 'ready') return (values[0] as (ready: Client) => unknown)(client);
  const call = (client as unknown as Record<string, unknown>)[method];
  if (typeof call === 'function') return call.apply(client, values) as unknown;
  console.error(`engagement: no method ${method}`);
  return undefined;
}
