import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const page = read('docs/internals/dependencies.md');
const manifest = JSON.parse(read('package.json'));
type Package = {
  license?: string;
  hasInstallScript?: true;
  integrity?: string;
  link?: true;
  os?: string[];
  libc?: string[];
};
/** The name and lock entry of each installed package; some have several versions. Workspaces are in the repository. */
const packages = Object.entries<Package>(JSON.parse(read('package-lock.json')).packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => [path.replace(/^.*node_modules\//, ''), entry] as const);

const permissive =
  /^\(?(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|Unlicense|PSF-2\.0|Zlib|CC0-1\.0)(?: (?:OR|AND|and) (?:MIT|ISC|Apache-2\.0|Zlib|CC0-1\.0))*\)?$/;

/** Other licenses, which require nothing for unchanged packages, and packages whose LICENSE file names the license. */
const otherLicenses: Record<string, string> = {
  'axe-core': 'MPL-2.0',
  elkjs: 'EPL-2.0',
  'png-js': 'MIT',
  'seq-queue': 'MIT',
};

test('the page lists every dependency with its reason, and no other', () => {
  const directDependencies = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const reasons = rows.map((row) => row.split('|')[2]!.trim());
  const listed = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );
  expect(listed.sort()).toEqual(directDependencies.sort());
  expect(reasons.filter((reason) => reason.length < 5)).toEqual([]);
});

test('versions are exact, and the lock file has a checksum of every installed package', () => {
  const versions = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap(
    (list: Record<string, string>) => Object.entries(list),
  );
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  const isInstalled = ({ os = ['linux'], libc = ['glibc'] }: Package) =>
    os.includes('linux') && libc.includes('glibc');
  const without = packages.filter(([, entry]) => isInstalled(entry) && !entry.integrity);
  expect(without.map(([name]) => name)).toEqual([]);
});

test('licenses allow this use', () => {
  const others = packages.filter(([, { license }]) => !permissive.test(license ?? ''));
  const unknown = others.filter(
    ([name, { license = otherLicenses[name] }]) =>
      license !== otherLicenses[name] && !/^lightningcss/.test(name),
  );
  expect(unknown.map(([name, { license }]) => `${name}: ${license}`)).toEqual([]);
});

test('no install script runs, and packages with one are listed', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  const having = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
  const section = page.slice(page.indexOf('## Install scripts'));
  expect(having.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
});

test('every package of the repository has the version of the service, also in its instructions', () => {
  const folders = ['packages/client', 'packages/embed', 'plugins/medusa', 'plugins/vendure'];
  const versions = folders.map((folder) => JSON.parse(read(`${folder}/package.json`)).version);
  expect(new Set(versions)).toEqual(new Set([manifest.version]));
  const named = folders.flatMap((folder) =>
    [...read(`${folder}/README.md`).matchAll(/causeway-\w+-(\d+\.\d+\.\d+)\.tgz/g)].map(
      ([, version]) => version,
    ),
  );
  expect(new Set(named)).toEqual(new Set([manifest.version]));
});
