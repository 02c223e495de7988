import { gatewayCredentialsTestContract } from '../../../../schema/wire/gateway-credentials-test.ts';
import { gatewayCredentialsTest } from '../../../actions/gateway/credentials-test.ts';
import { FAULT_CODES } from '../../../gateway/reject-fault.ts';
import { mutation } from '../../mutation.ts';

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
