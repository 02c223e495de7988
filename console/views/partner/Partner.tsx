import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useQuery } from 'urql';
import { Redirect, Route, Switch } from 'wouter';
import { inCount } from '../../pieces/in-words.ts';
import { Loading } from '../../pieces/Loading.tsx';
import { Page } from '../../pieces/Page.tsx';
import type { Section } from '../../pieces/Sections.tsx';
import { STANDING } from '../../pieces/standing-query.ts';
import { useWaiting, type Waiting } from '../../pieces/use-waiting.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import { Overview } from './overview/Overview.tsx';

const Wallet = lazy(() => import('./wallet/Wallet.tsx'));
const Earnings = lazy(() => import('./earnings/Earnings.tsx'));
const Payouts = lazy(() => import('./payouts/Payouts.tsx'));
const Identity = lazy(() => import('./identity/Identity.tsx'));
const Deals = lazy(() => import('./deals/Deals.tsx'));
const Reviews = lazy(() => import('./reviews/Reviews.tsx'));

const OWN: readonly Section[] = [
  { path: '/partner', title: 'Overview', isExact: true },
  { path: '/partner/wallet', title: 'Wallet' },
  { path: '/partner/earnings', title: 'Earnings' },
  { path: '/partner/payouts', title: 'Payouts' },
  { path: '/partner/identity', title: 'Identity' },
];
const DEALS: Section = { path: '/partner/deals', title: 'Deals' };
const REVIEWS: Section = { path: '/partner/reviews', title: 'Reviews' };

export default function Partner() {
  const [{ data }] = useQuery({ query: STANDING });
  const isAdmin = useMay('PLATFORM_ADMIN');
  const queues = useWaiting().data?.partnerReviewQueues;
  const reviews = { ...REVIEWS, note: queues && <Waits queues={queues} /> };
  const isAgency = data?.referralProgram.partnerStatus === 'AGENCY';
  const sections = [...OWN, ...(isAgency ? [DEALS] : []), ...(isAdmin ? [reviews] : [])];
  return (
    <Page
      title="Partner"
      about="Refer customers and earn a share of their payments, as credits for your own invoices or as cash."
      sections={sections}
    >
      <Suspense fallback={<Loading label="Loading" />}>
        <Switch>
          <Route path="/partner" component={Overview} />
          <Route path="/partner/wallet" component={Wallet} />
          <Route path="/partner/earnings" component={Earnings} />
          <Route path="/partner/payouts" component={Payouts} />
          <Route path="/partner/identity" component={Identity} />
          <Route path="/partner/deals/:id?" component={Deals} />
          {isAdmin && <Route path="/partner/reviews/:queue?" component={Reviews} />}
          <Route>
            <Redirect to="/partner" replace />
          </Route>
        </Switch>
      </Suspense>
    </Page>
  );
}

type WaitsProps = { readonly queues: NonNullable<Waiting['partnerReviewQueues']> };

/** The count in the navigation. */
function Waits({ queues: { kycSubmissions, payouts, deals } }: WaitsProps) {
  const count = kycSubmissions.count + payouts.count + deals.count;
  if (count === 0) return null;
  return (
    <Text span inherit c="dimmed" fw={400}>
      {' '}
      {inCount(count)} waiting
    </Text>
  );
}
