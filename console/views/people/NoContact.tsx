import { useQuery } from 'urql';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Erasing } from './privacy/Erasing.tsx';
import { ERASURES_OF_USER } from './privacy/erasures-of-user.ts';

/** In the place of the contact: nobody with this user ID is known, perhaps because they were erased. */
export function NoContact({ userId }: { readonly userId: string }) {
  const asked = useQuery({ query: ERASURES_OF_USER, variables: { userId } });
  return (
    <Asked asked={asked} label="Loading erasures">
      {({ personErasures: { nodes } }) =>
        nodes[0] === undefined ? (
          <Card title="No contact">
            There is no contact with this user ID. An identify call of an app creates one.
          </Card>
        ) : (
          <Erasing userId={userId} erasureId={nodes[0].id} />
        )
      }
    </Asked>
  );
}
