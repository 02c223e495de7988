import { Stack, TextInput } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { AudienceFields } from './audience/AudienceFields.tsx';
import { givenAudience } from './audience/audience-draft.ts';
import { LiveReach } from './audience/LiveReach.tsx';
import type { FormProps } from './form-props.ts';

/** The audience and the consent. */
export function Whom({ draft, isChecked, refusalOf, onChange }: FormProps) {
  const { audience, consentPurpose } = draft;
  return (
    <Card title="For whom">
      <Stack>
        <LiveReach audience={givenAudience(audience)} consentPurpose={consentPurpose} />
        <AudienceFields
          audience={audience}
          isChecked={isChecked}
          consentPurpose={consentPurpose.trim()}
          refusal={refusalOf('audience')}
          onChange={next => onChange({ audience: next })}
        />
        <TextInput
          label="Consent"
          description="The purpose that a person must have agreed to, such as marketing. Content for service and transactional is shown unless a person has objected."
          required
          value={consentPurpose}
          onChange={({ currentTarget }) => onChange({ consentPurpose: currentTarget.value })}
          error={refusalOf('consentPurpose')}
        />
      </Stack>
    </Card>
  );
}
