import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { DeliveriesPage } from './deliveries/DeliveriesPage.tsx';
import { DeliveryPage } from './deliveries/DeliveryPage.tsx';
import { EndpointPage } from './endpoint/EndpointPage.tsx';
import { Endpoints } from './endpoints/Endpoints.tsx';
import { WEBHOOKS } from './webhook-paths.ts';

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
