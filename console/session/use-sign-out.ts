import { fetchIdentityProvider } from './identity-provider.ts';
import { useSession } from './SessionProvider.tsx';
import type { Session } from './session.ts';

/**
 * Signs out of this tab, and of the identity provider if it has a page for that. The next sign-in opens the
 * home page, since it can be that of another user.
 */
export function useSignOut(): () => Promise<void> {
  const { session, current, signOut } = useSession();
  return async () => {
    const url =
      session?.grant === undefined
        ? undefined
        : await providersPage(await current()).catch(() => undefined);
    signOut();
    history.replaceState(null, '', import.meta.env.BASE_URL);
    if (url !== undefined) location.assign(url);
  };
}

async function providersPage(session: Session): Promise<URL | undefined> {
  const provider = await fetchIdentityProvider();
  if (provider === undefined) return undefined;
  const { signOutUrl } = await import('./oidc.ts');
  return signOutUrl(provider, session);
}
