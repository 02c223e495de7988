import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const found = require('@rudderstack/rudder-sdk-node');
const RudderAnalytics = found.default ?? found;
const { userId, ...calls } = JSON.parse(readFileSync(process.env.CALLS, 'utf8'));

const analytics = new RudderAnalytics(process.env.WRITE_KEY, { dataPlaneUrl: process.env.HOST });
for (const [kind, call] of Object.entries(calls)) analytics[kind]({ userId, ...call });
await analytics.flush();
