// The machines that the service runs on. `npm install` runs this file, so that an unsupported machine
// is named at once.

type Machine = { readonly platform: string; readonly arch: string; readonly hasGlibc: boolean };

/** uWebSockets.js has binaries for these. */
const MACHINES: readonly string[] = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64'];

/** One sentence about an unsupported machine; undefined on a supported one. */
export function machineProblem({ platform, arch, hasGlibc }: Machine): string | undefined {
  if (!MACHINES.includes(`${platform} ${arch}`))
    return `The service does not run on ${platform} ${arch}: it needs Linux (glibc) or macOS, on x64 or arm64.`;
  if (platform === 'linux' && !hasGlibc)
    return 'The service does not run on Linux without glibc, such as Alpine. Use a distribution with glibc.';
  return undefined;
}

export function thisMachine(): Machine {
  const { platform, arch } = process;
  return { platform, arch, hasGlibc: platform === 'linux' && glibcVersion() !== undefined };
}

/** Undefined if Node was built for another C library. */
function glibcVersion(): unknown {
  // Without this, the report looks up the names of all connected hosts.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

if (import.meta.main) {
  const problem = machineProblem(thisMachine());
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
  }
}
