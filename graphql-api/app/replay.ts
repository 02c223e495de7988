// The replay command of a release. `npm run replay` also finds the addresses of a running `npm start`.

import { replayCommand } from './replay-command.ts';

replayCommand(process.argv.slice(2), process.env, process).then(
  code => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`replay: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
