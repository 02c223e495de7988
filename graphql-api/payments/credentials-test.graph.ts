import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayCredentialsTest } from './credentials.test-connection.ts';
import { gatewayCredentialsTestContract } from './credentials-test.contract.ts';

mutation({
  name: 'gatewayCredentialsTest',
  description: 'Asks the payment gateway whether it knows the workspace’s credentials.',
  access: 'owner',
  contract: gatewayCredentialsTestContract,
  codes: [...FAULT_CODES],
  process: gatewayCredentialsTest,
  payload: t => ({
    isAccepted: t.boolean({
      description: 'Whether they are.',
      resolve: ({ result }) => result?.isAccepted,
    }),
    code: t.string({
      description: 'OK, or the gateway’s code.',
      resolve: ({ result }) => result?.code,
    }),
    message: t.string({
      description: 'The same in words.',
      resolve: ({ result }) => result?.message,
    }),
  }),
});
