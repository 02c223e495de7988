import { useWorkspaces } from '../session/use-workspaces.ts';
import { type Role, useViewer } from '../session/ViewerProvider.tsx';
import { VIEWS, type View } from './views.ts';

export type ReachableView = View & {
  /** Where the view opens for this viewer. */
  readonly href: string;
};

export type Reachable = {
  readonly views: readonly ReachableView[];
  /** The organization has no workspace, so that the views of workspaces are left out. */
  readonly isWithoutWorkspace: boolean;
};

/** The views that the viewer can use. */
export function useReachableViews(): Reachable {
  const { workspace, roles } = useViewer();
  const { workspaces, isAsking } = useWorkspaces();
  const isWithoutWorkspace = workspace === null && !isAsking && workspaces.length === 0;
  return {
    views: VIEWS.flatMap(view => reachable(view, roles, isWithoutWorkspace)),
    isWithoutWorkspace,
  };
}

function reachable(
  view: View,
  roles: readonly Role[],
  isWithoutWorkspace: boolean,
): readonly ReachableView[] {
  if (view.role !== undefined && !roles.includes(view.role)) return [];
  if (!isWithoutWorkspace || !view.isOfWorkspace) return [{ ...view, href: view.path }];
  const { withoutWorkspace: section } = view;
  return section && roles.includes(section.role) ? [{ ...view, href: section.path }] : [];
}
