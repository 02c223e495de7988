import { IconBriefcase } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { STANDING } from '../../../pieces/standing-query.ts';
import { DealBoard } from './DealBoard.tsx';

export default function Deals() {
  const asked = useQuery({ query: STANDING });
  return (
    <Asked asked={asked} label="Loading deals">
      {({ referralProgram }) =>
        referralProgram.partnerStatus === 'AGENCY' ? (
          <DealBoard />
        ) : (
          <Card>
            <Empty title="Deals are for agencies" icon={IconBriefcase}>
              With a reseller agreement, you can register prospects here and keep them exclusive for
              90 days. Contact the platform to become an agency.
            </Empty>
          </Card>
        )
      }
    </Asked>
  );
}
