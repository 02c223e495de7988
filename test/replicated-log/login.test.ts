// Ingest logs in to the brokers over TLS, with each mechanism, and reports why it is not ready if the login fails.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventOf, newMessageId } from '../harness/batch.ts';
import { expectAccepted, liveTenant, postEvents } from '../harness/batch-client.ts';
import { hasBrokers } from '../harness/brokers.ts';
import { sharedWarehouse } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import { newSecured } from '../harness/kafka/secured-listener.ts';
import { newDirectory } from '../harness/run-directory.ts';
import { expectEachOnce, logEnvironment, startNode, useBrokers } from './scene.ts';

const USERNAME = 'ingest';
const PASSWORD = 'the-password-of-ingest';
const secured = newSecured(USERNAME, PASSWORD);

describe.skipIf(!hasBrokers())('brokers with TLS and logins', () => {
  const brokers = useBrokers({ count: 1, secured });
  let files: { readonly certificate: string; readonly token: string };

  beforeAll(async () => {
    const directory = await newDirectory('login');
    files = { certificate: join(directory, 'ca.pem'), token: join(directory, 'token') };
    await writeFile(files.certificate, secured.certificate);
    await writeFile(files.token, `${unsignedToken(USERNAME)}\n`);
  });

  const environmentOf = (mechanism: string, password = PASSWORD) => ({
    ...logEnvironment(brokers()),
    LOG_TLS: 'true',
    LOG_TLS_CA_FILE: files.certificate,
    LOG_SASL_MECHANISM: mechanism,
    ...(mechanism === 'OAUTHBEARER'
      ? { LOG_SASL_TOKEN_FILE: files.token }
      : { LOG_SASL_USERNAME: USERNAME, LOG_SASL_PASSWORD: password }),
  });

  test.for(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'])(
    '%s: events are acknowledged and delivered',
    async (mechanism, context) => {
      const ingest = await startNode(context, { threads: 1, env: environmentOf(mechanism) });
      const tenant = await liveTenant(ingest);
      const id = newMessageId();
      expectAccepted(await postEvents(ingest, tenant.writeKey, [eventOf(id)]), 1);
      await expectEachOnce(sharedWarehouse, tenant, [id]);
    },
  );

  test.for([
    ['a wrong password', 'LOG_SASL_PASSWORD', 'another-password', /[Aa]uthentication/],
    ['a certificate of another authority', 'LOG_TLS_CA_FILE', '', /certificate/],
  ] as const)(
    '%s: requests are refused, and the log has the reason',
    async ([, name, value, reason], context) => {
      const env = { ...environmentOf('SCRAM-SHA-512'), [name]: value };
      const ingest = await startNode(context, { threads: 1, env, isReadinessAwaited: false });
      await eventually(async () => expect(ingest.logs()).toMatch(reason));
      expect(ingest.logs()).not.toContain(PASSWORD);
      const tenant = await liveTenant(ingest);
      expect((await postEvents(ingest, tenant.writeKey, [eventOf(newMessageId())])).status).toBe(
        503,
      );
    },
  );
});

/** A JSON Web Token that the brokers of tests accept. */
function unsignedToken(subject: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  const parts = [{ alg: 'none' }, { sub: subject, iat: seconds, exp: seconds + 3_600 }];
  const encoded = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return `${encoded.join('.')}.`;
}
