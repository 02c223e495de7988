export default function JourneyEdit({ id }: { readonly id: string }) {
  return <>{id}</>;
}
