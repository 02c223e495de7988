export default function JourneyNew() {
  return null;
}
