import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { DeliveriesPage } from './deliveries/DeliveriesPage.tsx';
import { Endpoints } from './endpoints/Endpoints.tsx';
import { WEBHOOKS } from './webhook-paths.ts';

const DeliveryPage = lazy(() => import('./deliveries/DeliveryPage.tsx'));
const EndpointPage = lazy(() => import('./endpoint/EndpointPage.tsx'));

export default function Webhooks() {
  return (
    <Suspense fallback={<Loading label="Loading the page" />}>
      <Routes />
    </Suspense>
  );
}

function Routes() {
  return (
    <Switch>
      <Route path={WEBHOOKS.endpoints} component={Endpoints} />
      <Route path={WEBHOOKS.deliveries} component={DeliveriesPage} />
      <Route path={WEBHOOKS.delivery(':id')}>{({ id }) => <DeliveryPage id={id} />}</Route>
      <Route path={WEBHOOKS.endpoint(':id')}>{({ id }) => <EndpointPage key={id} id={id} />}</Route>
      <Route>
        <Empty title="This page doesn’t exist" />
      </Route>
    </Switch>
  );
}
