import { Page } from '../../pieces/Page.tsx';

export default function Payments() {
  return <Page title="Payments">{null}</Page>;
}
