import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const { jitsuAnalytics } = require('@jitsu/js');
const { userId, ...calls } = JSON.parse(readFileSync(process.env.CALLS, 'utf8'));

const writeKey = `${process.env.WRITE_KEY}:js`;
const analytics = jitsuAnalytics({ host: process.env.HOST, writeKey, s2s: true });
await analytics.identify(userId, calls.identify.traits);
await analytics.track(calls.track.event, calls.track.properties);
await analytics.page(calls.page.name, calls.page.properties);
await analytics.group(calls.group.groupId, calls.group.traits);
