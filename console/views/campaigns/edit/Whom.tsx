import { Stack, TextInput } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { NO_CONSENT_NEEDED } from '../../../pieces/consent-words.ts';
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
          description={`The purpose that people must have consented to, such as marketing. ${NO_CONSENT_NEEDED}`}
          required
          value={consentPurpose}
          onChange={({ currentTarget }) => onChange({ consentPurpose: currentTarget.value })}
          error={refusalOf('consentPurpose')}
        />
      </Stack>
    </Card>
  );
}
