import { z } from 'zod';
import { requiredText } from '../../schema/values/text.ts';

const NAME_CHARACTERS_MAX = 100;

export const organizationUpdateContract = z.strictObject({
  name: requiredText(NAME_CHARACTERS_MAX),
});
export type OrganizationUpdate = z.output<typeof organizationUpdateContract>;
