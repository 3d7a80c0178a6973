/**
 * `npm run release -- FOLDER`: creates the files of a release from the committed state: the source archive, the
 * packages of `packages` as npm would publish them, an SBOM in CycloneDX form, and their checksums.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };

/** `npm sbom` leaves out dependencies that are also optional peer dependencies, such as graphql. */
const sbomTool = '@cyclonedx/cyclonedx-npm@6.0.1';

const root = fileURLToPath(new URL('..', import.meta.url));
const [argument] = process.argv.slice(2);
if (argument === undefined) throw new Error('Usage: npm run release -- FOLDER');
const folder = resolve(argument);
mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });

const changes = run('git', 'status', '--porcelain');
if (changes !== '') throw new Error(`Commit these changes first:\n${changes}`);

const name = `causeway-${packageJson.version}`;
run('git', 'archive', `--prefix=${name}/`, `--output=${join(folder, `${name}.tar.gz`)}`, 'HEAD');
for (const workspace of packageJson.workspaces) {
  run('npm', 'run', 'build', '--workspace', workspace);
  run('npm', 'pack', `./${workspace}`, '--pack-destination', folder);
}
run(
  'npx',
  '--yes',
  sbomTool,
  '--package-lock-only',
  '--omit=dev',
  '--output-reproducible',
  '--output-format=JSON',
  `--output-file=${join(folder, `${name}.cdx.json`)}`,
);

const files = readdirSync(folder).sort();
const hash = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
writeFileSync(join(folder, 'SHA256SUMS'), files.map((file) => `${hash(file)}  ${file}\n`).join(''));
console.log([...files, 'SHA256SUMS'].map((file) => join(folder, file)).join('\n'));
