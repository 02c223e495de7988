import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { PostHog } = require('posthog-node');
const { userId: distinctId, ...calls } = JSON.parse(readFileSync(process.env.CALLS, 'utf8'));
const { track, identify, page, screen, group, alias } = calls;

const posthog = new PostHog(process.env.WRITE_KEY, { host: process.env.HOST });
posthog.identify({ distinctId, properties: identify.traits });
posthog.capture({ distinctId, event: track.event, properties: track.properties });
const named = { name: page.name, ...page.properties };
posthog.capture({ distinctId, event: '$pageview', properties: named });
const shown = { $screen_name: screen.name, ...screen.properties };
posthog.capture({ distinctId, event: '$screen', properties: shown });
posthog.groupIdentify({
  distinctId,
  groupType: 'company',
  groupKey: group.groupId,
  properties: group.traits,
});
posthog.alias({ distinctId, alias: alias.previousId });
await posthog.shutdown();
