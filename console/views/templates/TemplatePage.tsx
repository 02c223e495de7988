import { Alert, Box, Grid, Stack } from '@mantine/core';
import { IconArchive, IconFileText } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Redirect } from 'wouter';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { Empty } from '../../pieces/Empty.tsx';
import { Page } from '../../pieces/Page.tsx';
import { When } from '../../pieces/When.tsx';
import { TemplateMenu } from './TemplateMenu.tsx';
import { TEMPLATES, type VersionTab, versionPath } from './template-paths.ts';
import { TEMPLATE, type Template, type VersionRow } from './template-query.ts';
import { NewVersion } from './tree/NewVersion.tsx';
import { TreeSwitch } from './tree/TreeSwitch.tsx';
import { VersionList } from './tree/VersionList.tsx';
import { keyOf, mainVersionOf, treesOf } from './tree/version-trees.ts';
import { VersionCard } from './version/VersionCard.tsx';

const BACK = { href: TEMPLATES, label: 'Templates' };
const TABS: readonly string[] = ['message', 'changes', 'people', 'history'];
/** Refetched after a version is created, also if there was none. */
const CONTEXT = { additionalTypenames: ['Template', 'TemplateVersion'] };

type TemplatePageProps = {
  readonly id: string;
  readonly versionId: string | undefined;
  readonly tab: string | undefined;
  /** With which other version it is compared. */
  readonly otherId: string | undefined;
};

/** A template: its version trees, and the selected version. */
export function TemplatePage({ id, versionId, tab, otherId }: TemplatePageProps) {
  const asked = useQuery({ query: TEMPLATE, variables: { id }, context: CONTEXT });
  const template = asked[0].data?.template;
  const versions = asked[0].data?.templateVersions.nodes;
  return (
    <Page
      title={template?.name ?? 'Template'}
      about={template?.description}
      back={BACK}
      actions={
        template &&
        template.archivedAt === null && (
          <TemplateMenu template={template} versions={versions ?? []} />
        )
      }
    >
      <Asked asked={asked} label="Loading the template">
        {({ template, templateVersions }) =>
          template === null ? (
            <Card>
              <Empty title="Template not found">It may belong to another workspace.</Empty>
            </Card>
          ) : (
            <Versions
              template={template}
              versions={templateVersions.nodes}
              versionId={versionId}
              tab={(TABS.includes(tab ?? '') ? tab : 'message') as VersionTab}
              otherId={otherId}
            />
          )
        }
      </Asked>
    </Page>
  );
}

type VersionsProps = Omit<TemplatePageProps, 'id' | 'tab'> & {
  readonly template: Template;
  readonly versions: readonly VersionRow[];
  readonly tab: VersionTab;
};

function Versions({ template, versions, versionId, tab, otherId }: VersionsProps) {
  const trees = treesOf(versions);
  const named = versions.find(({ id }) => id === versionId);
  const tree = trees.find(({ key }) => named === undefined || key === keyOf(named));
  if (tree === undefined)
    return (
      <Card>
        <Empty title="No versions yet" icon={IconFileText}>
          <p>Write the first version for a channel and language.</p>
          {template.archivedAt === null && <NewVersion template={template} versions={[]} />}
        </Empty>
      </Card>
    );
  if (named === undefined)
    return <Redirect to={versionPath(template.id, mainVersionOf(tree).id)} replace />;
  return (
    <Stack gap="lg">
      {template.archivedAt !== null && (
        <Alert variant="default" icon={<IconArchive />} title="This template is archived">
          Archived <When at={template.archivedAt} />. None of its versions are sent.
        </Alert>
      )}
      <TreeSwitch templateId={template.id} trees={trees} selectedKey={tree.key} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Box pos={{ md: 'sticky' }} top={76}>
            <Card title="Versions" isFlush>
              <VersionList
                templateId={template.id}
                versions={tree.versions}
                selectedId={named.id}
              />
            </Card>
          </Box>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <VersionCard
            key={named.id}
            template={template}
            version={named}
            siblings={tree.versions}
            tab={tab}
            otherId={otherId}
          />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
