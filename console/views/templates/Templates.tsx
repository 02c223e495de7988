import { Page } from '../../pieces/Page.tsx';

export default function Templates() {
  return <Page title="Templates">{null}</Page>;
}
