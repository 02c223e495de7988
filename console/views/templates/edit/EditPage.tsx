import { Button } from '@mantine/core';
import { useQuery } from 'urql';
import { Link, Redirect } from 'wouter';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { CHANNELS, inLanguage } from '../../../pieces/channels.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { TEMPLATES, versionPath } from '../template-paths.ts';
import { VERSION } from '../version-query.ts';
import { DraftEditor } from './DraftEditor.tsx';

type EditPageProps = { readonly id: string; readonly versionId: string };

/** A draft being written: its fields at the left, what becomes of them at the right. */
export default function EditPage({ id, versionId }: EditPageProps) {
  const asked = useQuery({ query: VERSION, variables: { id: versionId } });
  const version = asked[0].data?.templateVersion;
  const back = {
    href: versionPath(id, versionId),
    label: version ? `Version ${version.number}` : 'Version',
  };
  return (
    <Page
      title={version ? `Draft ${version.number}` : 'Draft'}
      about={version && `${CHANNELS[version.channel].label} · ${inLanguage(version.language)}`}
      back={back}
    >
      <Asked asked={asked} label="Loading the draft">
        {({ templateVersion }) => {
          if (templateVersion === null)
            return (
              <Card>
                <Empty title="Draft not found">
                  <Button component={Link} href={TEMPLATES} variant="default" mt="sm">
                    All templates
                  </Button>
                </Empty>
              </Card>
            );
          // Only drafts change.
          if (templateVersion.state !== 'DRAFT')
            return <Redirect to={versionPath(id, versionId)} replace />;
          return <DraftEditor version={templateVersion} />;
        }}
      </Asked>
    </Page>
  );
}
