import { Page } from '../../pieces/Page.tsx';

export default function Live() {
  return <Page title="Live">{null}</Page>;
}
