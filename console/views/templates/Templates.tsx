import { lazy } from 'react';
import { Route, Switch } from 'wouter';
import { useMay } from '../../session/ViewerProvider.tsx';
import { TemplateList } from './list/TemplateList.tsx';
import { REVIEWS } from './template-paths.ts';

const EditPage = lazy(() => import('./edit/EditPage.tsx'));
const Reviews = lazy(async () => ({ default: (await import('./reviews/Reviews.tsx')).Reviews }));
const TemplatePage = lazy(async () => ({
  default: (await import('./TemplatePage.tsx')).TemplatePage,
}));

type Parts = {
  readonly id: string;
  readonly versionId?: string;
  readonly tab?: string;
  readonly other?: string;
};

export default function Templates() {
  const isAdmin = useMay('PLATFORM_ADMIN');
  return (
    <Switch>
      <Route path="/templates" component={TemplateList} />
      {isAdmin && <Route path={REVIEWS} component={Reviews} />}
      <Route<Required<Pick<Parts, 'id' | 'versionId'>>> path="/templates/:id/:versionId/edit">
        {({ id, versionId }) => <EditPage key={versionId} id={id} versionId={versionId} />}
      </Route>
      <Route<Parts> path="/templates/:id/:versionId?/:tab?/:other?">
        {({ id, versionId, tab, other }) => (
          <TemplatePage key={id} id={id} versionId={versionId} tab={tab} otherId={other} />
        )}
      </Route>
    </Switch>
  );
}
