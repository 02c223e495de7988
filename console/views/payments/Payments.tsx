import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Empty } from '../../pieces/Empty.tsx';
import { Loading } from '../../pieces/Loading.tsx';
import { DisputeList } from './disputes/DisputeList.tsx';
import { EventList } from './events/EventList.tsx';
import { LinkList } from './links/LinkList.tsx';
import { RefundList } from './lists/RefundList.tsx';
import { SettlementList } from './lists/SettlementList.tsx';
import { PAYMENTS } from './payment-paths.ts';
import { PaymentList } from './payments/PaymentList.tsx';

/** Loaded when one is first opened: the lists alone are what most visits need. */
const PaymentPage = lazy(() => import('./payments/PaymentPage.tsx'));
const LinkPage = lazy(() => import('./links/LinkPage.tsx'));
const OrderPage = lazy(() => import('./orders/OrderPage.tsx'));
const SubscriptionPage = lazy(() => import('./subscriptions/SubscriptionPage.tsx'));
const EventPage = lazy(() => import('./events/EventPage.tsx'));
const Account = lazy(() => import('./account/Account.tsx'));
const EverybodysEvents = lazy(() => import('./events/EverybodysEvents.tsx'));

/** Each with the form that creates one. */
const OrderList = lazy(() => import('./orders/OrderList.tsx'));
const PlanList = lazy(() => import('./plans/PlanList.tsx'));
const SubscriptionList = lazy(() => import('./subscriptions/SubscriptionList.tsx'));
const VendorList = lazy(() => import('./vendors/VendorList.tsx'));

export default function Payments() {
  return (
    <Suspense fallback={<Loading label="Loading the page" />}>
      <Routes />
    </Suspense>
  );
}

function Routes() {
  return (
    <Switch>
      <Route path={PAYMENTS.payments} component={PaymentList} />
      <Route path={PAYMENTS.payment(':id')}>{({ id }) => <PaymentPage id={id} />}</Route>
      <Route path={PAYMENTS.links} component={LinkList} />
      <Route path={PAYMENTS.link(':id')}>{({ id }) => <LinkPage id={id} />}</Route>
      <Route path={PAYMENTS.orders} component={OrderList} />
      <Route path={PAYMENTS.order(':id')}>{({ id }) => <OrderPage id={id} />}</Route>
      <Route path={PAYMENTS.refunds} component={RefundList} />
      <Route path={PAYMENTS.plans} component={PlanList} />
      <Route path={PAYMENTS.subscriptions} component={SubscriptionList} />
      <Route path={PAYMENTS.subscription(':id')}>{({ id }) => <SubscriptionPage id={id} />}</Route>
      <Route path={PAYMENTS.vendors} component={VendorList} />
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
