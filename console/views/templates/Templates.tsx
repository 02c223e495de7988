import { Route, Switch } from 'wouter';
import { TemplateList } from './list/TemplateList.tsx';
import { TemplatePage } from './TemplatePage.tsx';

type Parts = {
  readonly id: string;
  readonly versionId?: string;
  readonly tab?: string;
  readonly other?: string;
};

export default function Templates() {
  return (
    <Switch>
      <Route path="/templates" component={TemplateList} />
      <Route<Parts> path="/templates/:id/:versionId?/:tab?/:other?">
        {({ id, versionId, tab, other }) => (
          <TemplatePage key={id} id={id} versionId={versionId} tab={tab} otherId={other} />
        )}
      </Route>
    </Switch>
  );
}
