import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { Account } from './account/Account.tsx';
import { DisputeList } from './disputes/DisputeList.tsx';
import { EventList } from './events/EventList.tsx';
import { EventPage } from './events/EventPage.tsx';
import { EverybodysEvents } from './events/EverybodysEvents.tsx';
import { LinkList } from './links/LinkList.tsx';
import { LinkPage } from './links/LinkPage.tsx';
import { OrderList } from './lists/OrderList.tsx';
import { RefundList } from './lists/RefundList.tsx';
import { SettlementList } from './lists/SettlementList.tsx';
import { PAYMENTS } from './payment-paths.ts';
import { PaymentList } from './payments/PaymentList.tsx';
import { SubscriptionList } from './subscriptions/SubscriptionList.tsx';
import { SubscriptionPage } from './subscriptions/SubscriptionPage.tsx';

/** Loaded when one is first opened: the lists alone are what most visits need. */
const PaymentPage = lazy(() => import('./payments/PaymentPage.tsx'));
const OrderPage = lazy(() => import('./orders/OrderPage.tsx'));

export default function Payments() {
  return (
    <Switch>
      <Route path={PAYMENTS.payments} component={PaymentList} />
      <Route path={PAYMENTS.payment(':id')}>
        {({ id }) => (
          <Suspense fallback={<Loading label="Loading the payment" />}>
            <PaymentPage id={id} />
          </Suspense>
        )}
      </Route>
      <Route path={PAYMENTS.links} component={LinkList} />
      <Route path={PAYMENTS.link(':id')}>{({ id }) => <LinkPage id={id} />}</Route>
      <Route path={PAYMENTS.orders} component={OrderList} />
      <Route path={PAYMENTS.order(':id')}>
        {({ id }) => (
          <Suspense fallback={<Loading label="Loading the order" />}>
            <OrderPage id={id} />
          </Suspense>
        )}
      </Route>
      <Route path={PAYMENTS.refunds} component={RefundList} />
      <Route path={PAYMENTS.subscriptions} component={SubscriptionList} />
      <Route path={PAYMENTS.subscription(':id')}>{({ id }) => <SubscriptionPage id={id} />}</Route>
      <Route path={PAYMENTS.disputes} component={DisputeList} />
      <Route path={PAYMENTS.settlements} component={SettlementList} />
      <Route path={PAYMENTS.events} component={EventList} />
      <Route path={PAYMENTS.event(':id')}>{({ id }) => <EventPage id={id} />}</Route>
      <Route path={PAYMENTS.account} component={Account} />
      <Route path={PAYMENTS.everybody} component={EverybodysEvents} />
      <Route>
        <Empty title="This page doesn’t exist" />
      </Route>
    </Switch>
  );
}
