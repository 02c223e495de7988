// Every `npm install` runs this file. Usually, the right version of Node is already installed by then; on a
// machine for which the package `node` does not exist, the file runs on the machine's own Node. It is
// JavaScript, because an old Node cannot load TypeScript.

/** uWebSockets.js has binaries for this version; from 22.18 on, it loads TypeScript. */
const [MAJOR, MINOR_MIN] = [22, 18];

const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);
if (major !== MAJOR || minor < MINOR_MIN) {
  process.stderr.write(
    `The service requires Node ${MAJOR}.${MINOR_MIN} or a later ${MAJOR}.x release, and the npm package \`node\` has no build for this machine. Replace Node ${node} with such a release, then run npm install again.\n`,
  );
  process.exitCode = 1;
}
