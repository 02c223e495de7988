import { Page } from '../../pieces/Page.tsx';

export default function Partner() {
  return <Page title="Partner">{null}</Page>;
}
