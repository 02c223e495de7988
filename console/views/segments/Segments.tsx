import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { Loading } from '../../pieces/Loading.tsx';
import { SegmentList } from './list/SegmentList.tsx';
import { SegmentPage } from './page/SegmentPage.tsx';
import { NEW_SEGMENT, SEGMENTS } from './segment-paths.ts';

const SegmentNew = lazy(() => import('./edit/SegmentNew.tsx'));
const SegmentEdit = lazy(() => import('./edit/SegmentEdit.tsx'));

export default function Segments() {
  return (
    <Suspense fallback={<Loading label="Loading the form" />}>
      <Switch>
        <Route path={SEGMENTS} component={SegmentList} />
        <Route path={NEW_SEGMENT} component={SegmentNew} />
        <Route path="/segments/:id">{({ id }) => <SegmentPage key={id} id={id} />}</Route>
        <Route path="/segments/:id/edit">{({ id }) => <SegmentEdit key={id} id={id} />}</Route>
      </Switch>
    </Suspense>
  );
}
