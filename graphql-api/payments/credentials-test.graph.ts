import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayCredentialsTest } from './credentials.test-connection.ts';
import { gatewayCredentialsTestContract } from './credentials-test.contract.ts';

mutation({
  name: 'gatewayCredentialsTest',
  description: 'Tests the workspace’s credentials with a call to the payment gateway.',
  access: 'owner',
  contract: gatewayCredentialsTestContract,
  codes: [...FAULT_CODES],
  process: gatewayCredentialsTest,
  payload: t => ({
    isAccepted: t.boolean({
      description: 'Whether the payment gateway accepts the credentials.',
      resolve: ({ result }) => result?.isAccepted,
    }),
    code: t.string({
      description: '`OK`, or the payment gateway’s error code.',
      resolve: ({ result }) => result?.code,
    }),
    message: t.string({
      description: 'The payment gateway’s message.',
      resolve: ({ result }) => result?.message,
    }),
  }),
});
