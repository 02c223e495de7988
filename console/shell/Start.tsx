import { lazy } from 'react';
import { useViewer } from '../session/ViewerProvider.tsx';
import { HOME } from './views.ts';

const StartWithoutWorkspace = lazy(() => import('./StartWithoutWorkspace.tsx'));

/** The first page. */
export function Start() {
  const { workspace } = useViewer();
  return workspace === null ? <StartWithoutWorkspace /> : <HOME.Component />;
}
