import { useEffect, useState } from 'react';
import { fetchIdentityProvider, type IdentityProvider } from './identity-provider.ts';

type Asked = { readonly provider?: IdentityProvider | undefined; readonly isAsking: boolean };

export function useIdentityProvider(): Asked {
  const [asked, setAsked] = useState<Asked>({ isAsking: true });
  useEffect(() => {
    fetchIdentityProvider().then(
      provider => setAsked({ provider, isAsking: false }),
      () => setAsked({ isAsking: false }),
    );
  }, []);
  return asked;
}
