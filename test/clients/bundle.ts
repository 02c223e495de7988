import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

/** Bundles a module and the packages that are installed in `folder` into one script, as an app's bundler does. */
export async function bundle(code: string, folder: string): Promise<string> {
  const root = await mkdtemp(join(folder, 'app-'));
  try {
    await writeFile(join(root, 'main.js'), code);
    const built = await build({
      root,
      configFile: false,
      logLevel: 'error',
      build: {
        write: false,
        rolldownOptions: { input: join(root, 'main.js'), output: { codeSplitting: false } },
      },
    });
    const outputs = (Array.isArray(built) ? built : [built]).flatMap(one =>
      'output' in one ? one.output : [],
    );
    const [script, ...rest] = outputs.filter(one => one.type === 'chunk');
    if (script === undefined || rest.length > 0)
      throw new Error(`vite made ${outputs.map(one => one.fileName).join()}`);
    return script.code;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
