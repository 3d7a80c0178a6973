/**
 * `npm run docs:build`: creates the documentation site in dist/guides, from docs and the contracts. The service serves
 * the site at /guides. Installs the site generator in site, because `npm ci` in the root does not.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSite } from './docs-site/create-site.ts';
import { finishSite } from './docs-site/finish-site.ts';
import { writeSitePages } from './docs-site/site-page.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = join(root, 'site');
const target = join(root, 'dist/guides');
const unfinished = join(root, 'dist/.guides');

if (!isInstalled()) run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
const { pages, sidebar } = await createSite(root);
await writeSitePages(join(site, 'src/content/docs'), pages);
await writeFile(join(site, 'src/sidebar.json'), JSON.stringify(sidebar));
await rm(join(site, 'public'), { recursive: true, force: true });
await cp(join(root, 'docs/images'), join(site, 'public/images'), { recursive: true });
await cp(join(root, 'src/dashboard/icon.svg'), join(site, 'public/favicon.svg'));
await rm(unfinished, { recursive: true, force: true });
run(process.execPath, ['node_modules/astro/bin/astro.mjs', 'build', '--outDir', unfinished]);
await finishSite(unfinished);
await rm(target, { recursive: true, force: true });
await rename(unfinished, target);
console.log(
  `· The documentation site is in dist/guides, with ${pages.length} pages. Restart the service to serve it.`,
);

/** npm writes its own lock file at the end of an installation. */
function isInstalled(): boolean {
  const installed = statSync(join(site, 'node_modules/.package-lock.json'), { throwIfNoEntry: false });
  return installed !== undefined && installed.mtimeMs > statSync(join(site, 'package-lock.json')).mtimeMs;
}

function run(command: string, args: string[]): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  const { status, stdout } = spawnSync(command, args, {
    cwd: site,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env,
  });
  if (status === 0) return;
  console.error(stdout);
  process.exit(1);
}
