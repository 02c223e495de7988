import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';

type Build = { readonly version?: string; readonly commit?: string };

const COMMIT_DIGITS = 7;

/** The running release, for reports to the operator. Nothing while it is unknown. */
export function Release() {
  const [build, setBuild] = useState<Build>({});
  useEffect(() => {
    const stopping = new AbortController();
    fetch('/healthz', { signal: stopping.signal })
      .then(answer => answer.json() as Promise<Build>)
      .then(setBuild, () => undefined);
    return () => stopping.abort();
  }, []);
  const { version, commit = '' } = build;
  if (version === undefined) return null;
  const isKnown = /^[0-9a-f]+$/.test(commit);
  return (
    <Text size="xs" c="dimmed" px="sm" py={6}>
      Version {version}
      {isKnown && ` (${commit.slice(0, COMMIT_DIGITS)})`}
    </Text>
  );
}
