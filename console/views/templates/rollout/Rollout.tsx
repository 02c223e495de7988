import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Dialog } from '../../../pieces/Dialog.tsx';
import type { Version } from '../version-query.ts';
import { RolloutForm } from './RolloutForm.tsx';
import { IMPACT } from './rollout-query.ts';

/** The action to confirm: submit a draft, activate a version, or move people. */
export type RolloutDeed = 'submit' | 'activate' | 'force';

type RolloutProps = {
  readonly version: Version;
  /** Undefined while nothing is. */
  readonly deed: RolloutDeed | undefined;
  readonly onClose: () => void;
};

const TITLES: Readonly<Record<RolloutDeed, string>> = {
  submit: 'Publish version',
  activate: 'Activate version',
  force: 'Move people in flight to version',
};

export function Rollout({ version, deed, onClose }: RolloutProps) {
  return (
    <Dialog
      opened={deed !== undefined}
      onClose={onClose}
      size="lg"
      title={deed && `${TITLES[deed]} ${version.number}`}
    >
      {deed && <WithImpact version={version} deed={deed} onClose={onClose} />}
    </Dialog>
  );
}

type WithImpactProps = RolloutProps & { readonly deed: RolloutDeed };

/** People in flight are counted when the dialog opens. */
function WithImpact({ version, deed, onClose }: WithImpactProps) {
  const asked = useQuery({
    query: IMPACT,
    variables: { id: version.id },
    requestPolicy: 'network-only',
  });
  return (
    <Asked asked={asked} label="Counting people in flight">
      {({ rolloutImpact, templateApprovals }) =>
        rolloutImpact && (
          <RolloutForm
            version={version}
            deed={deed}
            impact={rolloutImpact}
            isApproverThere={
              templateApprovals.find(({ channel }) => channel === version.channel)?.isConfigured ??
              true
            }
            onClose={onClose}
          />
        )
      }
    </Asked>
  );
}
