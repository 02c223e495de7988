import { lazy } from 'react';
import { Route, Switch } from 'wouter';
import { CampaignList } from './list/CampaignList.tsx';
import { CampaignPage } from './page/CampaignPage.tsx';
import { PreviewPage } from './page/Preview.tsx';

const edit = () => import('./edit/CampaignEdit.tsx');
const CampaignNew = lazy(async () => ({ default: (await edit()).CampaignNew }));
const CampaignEdit = lazy(async () => ({ default: (await edit()).CampaignEdit }));
const PushPage = lazy(() => import('./push/PushPage.tsx'));

export default function Campaigns() {
  return (
    <Switch>
      <Route path="/campaigns" component={CampaignList} />
      <Route path="/campaigns/new" component={CampaignNew} />
      <Route path="/campaigns/preview" component={PreviewPage} />
      <Route path="/campaigns/push" component={PushPage} />
      <Route path="/campaigns/:id">{({ id }) => <CampaignPage key={id} id={id} />}</Route>
      <Route path="/campaigns/:id/edit">{({ id }) => <CampaignEdit key={id} id={id} />}</Route>
    </Switch>
  );
}
