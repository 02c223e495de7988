import { Page } from '../../pieces/Page.tsx';

export default function Webhooks() {
  return <Page title="Webhooks">{null}</Page>;
}
