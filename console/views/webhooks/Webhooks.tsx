import { lazy } from 'react';
import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { DeliveriesPage } from './deliveries/DeliveriesPage.tsx';
import { Endpoints } from './endpoints/Endpoints.tsx';
import { WEBHOOKS } from './webhook-paths.ts';

const EndpointPage = lazy(async () => ({
  default: (await import('./endpoint/EndpointPage.tsx')).EndpointPage,
}));
const DeliveryPage = lazy(async () => ({
  default: (await import('./deliveries/DeliveryPage.tsx')).DeliveryPage,
}));

export default function Webhooks() {
  return (
    <Switch>
      <Route path={WEBHOOKS.endpoints} component={Endpoints} />
      <Route path={WEBHOOKS.deliveries} component={DeliveriesPage} />
      <Route path={WEBHOOKS.delivery(':id')}>{({ id }) => <DeliveryPage id={id} />}</Route>
      <Route path={WEBHOOKS.endpoint(':id')}>{({ id }) => <EndpointPage id={id} />}</Route>
      <Route>
        <Empty title="This page doesn’t exist" />
      </Route>
    </Switch>
  );
}
