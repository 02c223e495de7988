import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(`${process.cwd()}/`);
const Analytics = require('analytics-node');
const { userId, ...calls } = JSON.parse(readFileSync(process.env.CALLS, 'utf8'));

const analytics = new Analytics(process.env.WRITE_KEY, { host: process.env.HOST });
for (const [kind, call] of Object.entries(calls)) analytics[kind]({ userId, ...call });
await analytics.flush();
