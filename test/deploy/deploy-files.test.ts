// The files of deploy/ are valid and fit the programs. Linters that are not installed (npm run deploy:check --
// --install) are skipped.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CHART, RENDERED, renderedFrom } from '../../deploy/check/chart.ts';
import { HADOLINT, KUBERNETES_VALIDATE, PYTHON_PROGRAM } from '../../deploy/check/tools.ts';
import { readVersion } from '../../schema/environment/build-info.ts';
import { newDirectory } from '../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const DEPLOY = join(ROOT, 'deploy');
/** Both programs end within this time of SIGTERM. */
const STOP_SECONDS = 30;
const KUBERNETES = '1.33';
const UNITS = (await Array.fromAsync(glob('systemd/*.service', { cwd: DEPLOY }))).toSorted();

const run = promisify(execFile);
const hasSystemd = await run('systemd-analyze', ['--version']).then(
  () => true,
  () => false,
);

type Container = { readonly securityContext: unknown };
type Pod = {
  readonly spec: {
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext: unknown;
    readonly containers: readonly Container[];
  };
};
type Manifest = { readonly spec?: { readonly template?: Pod } } | null;
type ComposeService = { readonly volumes?: readonly string[]; readonly stop_grace_period?: string };
type Compose = { readonly services: Readonly<Record<string, ComposeService>> };

describe('the chart', () => {
  test('was rendered as it is now', async () => {
    const rendered = await readFile(RENDERED, 'utf8');
    expect(rendered.split('\n')[0]).toBe(await renderedFrom());
  });

  test('has the version of the release', async () => {
    const chart = await readFile(join(CHART, 'Chart.yaml'), 'utf8');
    expect(chart).toContain(`\nversion: ${readVersion()}\nappVersion: ${readVersion()}\n`);
  });

  test('gives each pod time to stop, and no right that it does not need', async () => {
    const pods = await podsOf(RENDERED);
    expect(pods).toHaveLength(3);
    for (const { spec } of pods) {
      const stopSeconds = spec.terminationGracePeriodSeconds ?? STOP_SECONDS + 1;
      expect(stopSeconds).toBeGreaterThan(STOP_SECONDS);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const { securityContext } of spec.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  test.skipIf(!existsSync(KUBERNETES_VALIDATE))('has manifests of known form', async () => {
    const options = ['--strict', '--kubernetes-version', KUBERNETES, RENDERED];
    const { stdout, stderr } = await run(KUBERNETES_VALIDATE, options);
    expect(`${stdout}${stderr}`.match(/ passed /g)).toHaveLength(12);
  });
});

describe('compose.yaml', () => {
  test('mounts only files that exist, and each variable is in .env.example', async () => {
    const text = await readFile(join(DEPLOY, 'compose.yaml'), 'utf8');
    const { services } = parse(text, { merge: true }) as Compose;
    const example = await readFile(join(DEPLOY, '.env.example'), 'utf8');
    const explained = new Set(Array.from(example.matchAll(/^([A-Z_]+)=/gm), ([, name]) => name!));
    const used = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name!));
    // Where the image comes from, which a first start does not need.
    expect([...used].filter(name => !explained.has(name)).toSorted()).toEqual([
      'BUILD_COMMIT',
      'IMAGE',
    ]);
    for (const service of Object.values(services))
      for (const volume of service.volumes ?? []) {
        const source = volume.split(':')[0]!;
        if (source.startsWith('./')) expect(existsSync(join(DEPLOY, source)), source).toBe(true);
      }
    for (const name of ['migrate', 'ingest', 'api']) {
      expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(
        STOP_SECONDS,
      );
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    }
  });

  test('.env.example contains no secret', async () => {
    const example = await readFile(join(DEPLOY, '.env.example'), 'utf8');
    const secrets = example.match(/^[A-Z_]*(?:PASSWORD|SECRET|TOKEN|KEYS)=.+$/gm);
    expect(secrets).toBeNull();
  });

  test.skipIf(!existsSync(PYTHON_PROGRAM))('follows the Compose Specification', async () => {
    const check = join(DEPLOY, 'check', 'compose.py');
    const { stdout } = await run(PYTHON_PROGRAM, [check, join(DEPLOY, 'compose.yaml')]);
    expect(stdout.trim()).toBe('api clickhouse grafana ingest migrate nginx postgres prometheus');
  });

  test('gives nginx the names of the programs, and TLS if there is a certificate', async () => {
    const folder = await newDirectory('nginx');
    for (const name of ['fullchain.pem', 'privkey.pem']) await writeFile(join(folder, name), '');
    // A program of that name which does nothing: only the written file matters here.
    await writeFile(join(folder, 'nginx'), '#!/bin/sh\n', { mode: 0o755 });
    const conf = join(folder, 'default.conf');
    await run('sh', [join(DEPLOY, 'compose', 'start-nginx.sh')], {
      env: {
        PATH: `${folder}:${process.env.PATH}`,
        CONF: conf,
        CERTIFICATES: folder,
        SOURCE: join(DEPLOY, 'nginx.conf'),
      },
    });
    const written = await readFile(conf, 'utf8');
    for (const line of [
      'server ingest:8080',
      'server ingest:8081',
      'server api:4000',
      '    listen 443 ssl',
    ])
      expect(written).toContain(line);
    expect(written).not.toMatch(/server 127\.0\.0\.1|#tls|\/etc\/nginx\/tls/);
  });
});

test.skipIf(!existsSync(HADOLINT))('the Dockerfile passes hadolint', async () => {
  await run(HADOLINT, [join(ROOT, 'Dockerfile')]);
});

test('Prometheus and the API call the operator ports, which differ from those of the traffic', async () => {
  const read = (path: string) => readFile(join(DEPLOY, path), 'utf8');
  const image = await readFile(join(ROOT, 'Dockerfile'), 'utf8');
  for (const [program, port] of [
    ['ingest', 8081],
    ['api', 4001],
  ] as const) {
    const variable = `${program.toUpperCase()}_OPERATIONS_PORT=${port}`;
    expect(image).toContain(variable);
    expect(await read(`systemd/engagement-${program}.service`)).toContain(variable);
    expect(await read('prometheus/prometheus.yml')).toContain(`"${program}:${port}"`);
    expect(await readFile(RENDERED, 'utf8')).toContain(`prometheus.io/port: "${port}"`);
  }
  expect(await read('compose.yaml')).toContain('INGEST_URL: http://ingest:8081');
  expect(await readFile(RENDERED, 'utf8')).toMatch(/INGEST_URL\s+value: \S+:8081$/m);
});

describe('the systemd units', () => {
  test('give each program time to stop and enough open files', async () => {
    expect(UNITS).toHaveLength(3);
    for (const unit of UNITS) {
      const text = await readFile(join(DEPLOY, unit), 'utf8');
      if (text.includes('Type=oneshot')) continue;
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(STOP_SECONDS);
      expect(text).toMatch(/^LimitNOFILE=65536$/m);
    }
  });

  test.skipIf(!hasSystemd)('are valid', async () => {
    const folder = await newDirectory('units');
    const names = UNITS.map(unit => join(folder, unit.split('/')[1]!));
    // The release is not installed on this machine, so another program stands in for it.
    for (const [index, unit] of UNITS.entries()) {
      const text = await readFile(join(DEPLOY, unit), 'utf8');
      await writeFile(names[index]!, text.replace('/opt/engagement/app/service', '/bin/true'));
    }
    const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', ...names]);
    expect(`${stdout}${stderr}`).toBe('');
  });
});

async function podsOf(file: string): Promise<Pod[]> {
  const documents = parseAllDocuments(await readFile(file, 'utf8')).map(
    one => one.toJSON() as Manifest,
  );
  return documents.flatMap(one => (one?.spec?.template ? [one.spec.template] : []));
}
