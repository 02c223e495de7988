import { expect, test } from 'vitest';
import { startFront } from '../../embedded/front.ts';
import { portFault, requireFreePort } from '../../embedded/ports.ts';

/** An address reserved for documentation, which no machine has. */
const FOREIGN = '192.0.2.1';

test('the error for an address of another machine names HOST, also for the front', async () => {
  const message = `${FOREIGN} is not an address of this machine. Set HOST`;
  await expect(requireFreePort(0, 'INGEST_PORT', FOREIGN)).rejects.toThrow(message);
  const upstreams = { ingest: 'http://127.0.0.1:1', api: 'http://127.0.0.1:1' };
  const front = startFront({ host: FOREIGN, port: 0, upstreams });
  await expect(front).rejects.toThrow(message);
});

// The error is simulated, because root may open any port.
test('the error for a privileged port names its variable', () => {
  const refusal = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(portFault(refusal, 80, '0.0.0.0', 'PORT')).toMatchObject({
    message: expect.stringMatching(/80 on 0\.0\.0\.0.*Set PORT/),
  });
});
