import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { copyWorkTree } from '../../scripts/copy-work-tree.ts';
import { fileTest } from '../setup/fixtures.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { createEnv, projectRoot } from './run-service.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const { version, dependencies } = JSON.parse(read('package.json'));

type Release = { folder: string; files: string[] };

const test = fileTest.extend('release', { scope: 'file' }, async ({ onFileCleanup }): Promise<Release> => {
  // The work tree may have changes, which a release rejects, so a copy of it is committed.
  const copy = await createTempDir(onFileCleanup);
  copyWorkTree(projectRoot, copy);
  const folder = join(await createTempDir(onFileCleanup), 'files');
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: copy, env: createEnv({}), stdio: 'pipe' });
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  run('git', 'init', '--quiet');
  run('git', 'add', '--all');
  run('git', ...author, 'commit', '--quiet', '--message', 'Release');
  run('npm', 'run', 'release', '--', folder);
  return { folder, files: readdirSync(folder).sort() };
});

const listArchive = (file: string) =>
  execFileSync('tar', ['--list', '--gzip', '--file', file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('/'));

test('A release has the source archive, two packages, an SBOM and their checksums', async ({ release }) => {
  expect(release.files).toEqual([
    'SHA256SUMS',
    `causeway-${version}.cdx.json`,
    `causeway-${version}.tar.gz`,
    `causeway-client-${version}.tgz`,
    `causeway-embed-${version}.tgz`,
  ]);
  const check = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: release.folder,
    encoding: 'utf8',
  });
  expect(check.trim().split('\n')).toHaveLength(release.files.length - 1);
});

test('The source archive has every file of the repository below one folder', async ({ release }) => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const archived = listArchive(join(release.folder, `causeway-${version}.tar.gz`));
  const prefix = `causeway-${version}/`;
  expect(archived.every((path) => path.startsWith(prefix))).toBe(true);
  const missing = new Set(tracked.trim().split('\n'));
  for (const path of archived) missing.delete(path.slice(prefix.length));
  expect([...missing]).toEqual([]);
});

test.for(['client', 'embed'])(
  'The package causeway-%s has its license, its README, types and no sources',
  async (name, { release }) => {
    const files = listArchive(join(release.folder, `causeway-${name}-${version}.tgz`)).sort();
    const others = files.filter((path) => !/^package\/dist\/[\w/-]+\.(?:d\.ts|js)$/.test(path));
    expect(others).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    expect(files).toContain('package/dist/index.js');
    expect(files).toContain('package/dist/index.d.ts');
    const manifest = JSON.parse(read(`packages/${name}/package.json`));
    expect(manifest).toMatchObject({ version, license: 'Apache-2.0' });
    expect(manifest.dependencies).toBeUndefined();
  },
);

type Component = {
  group?: string;
  name: string;
  version: string;
  licenses?: unknown[];
  components?: Component[];
};

test('The SBOM lists each dependency with its version and license', async ({ release }) => {
  const sbom = JSON.parse(readFileSync(join(release.folder, `causeway-${version}.cdx.json`), 'utf8'));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'causeway', version } },
  });
  const flatten = (components: Component[]): Component[] =>
    components.flatMap((component) => [component, ...flatten(component.components ?? [])]);
  const components = flatten(sbom.components).filter(({ name }) => !name.startsWith('causeway-'));
  const listed = new Set(
    components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
  );
  const missing = Object.entries<string>(dependencies).filter(
    ([name, exactVersion]) => !listed.has(`${name}@${exactVersion}`),
  );
  expect(missing).toEqual([]);
  // The LICENSE files of these name MIT, but the lock file has no license for them.
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
  expect([...new Set(unlicensed.map(({ name }) => name))].sort()).toEqual([
    'buildcheck',
    'cpu-features',
    'png-js',
    'seq-queue',
    'ssh2',
  ]);
});
