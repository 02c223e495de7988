import { Page } from '../../pieces/Page.tsx';

export default function Campaigns() {
  return <Page title="Campaigns">{null}</Page>;
}
