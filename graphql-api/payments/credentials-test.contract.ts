import { z } from 'zod';

export const gatewayCredentialsTestContract = z.strictObject({});
