import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Problem } from '../../../pieces/Problem.tsx';

const BUSINESS_TYPES = graphql(`query VendorBusinessTypes { gatewayVendorBusinessTypes }`);

type BusinessTypeSelectProps = {
  readonly value: string | null;
  readonly onChange: (businessType: string) => void;
  readonly error: string | undefined;
};

export function BusinessTypeSelect({ value, onChange, error }: BusinessTypeSelectProps) {
  const [asked, ask] = useQuery({ query: BUSINESS_TYPES });
  const known = asked.data?.gatewayVendorBusinessTypes ?? [];
  // The current one stays visible until the others are known.
  const types = value === null || known.includes(value) ? known : [value, ...known];
  return (
    <>
      {asked.error && (
        <Problem error={asked.error} onRetry={() => ask({ requestPolicy: 'network-only' })} />
      )}
      <Select
        label="Business type"
        description="Choose Miscellaneous if no other applies."
        required
        searchable
        placeholder={asked.fetching ? 'Loading…' : 'Choose a business type'}
        nothingFoundMessage="No matching business types"
        data={types}
        value={value}
        onChange={chosen => chosen !== null && onChange(chosen)}
        allowDeselect={false}
        error={error}
      />
    </>
  );
}
