import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const node = (version: string) =>
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
const platform = (name: string) => `Object.defineProperty(process, 'platform', { value: '${name}' })`;
const withoutGlibc = 'process.report.getReport = () => ({ header: {} })';

/** What a start says that finds itself there, before anything of the service is loaded. */
function startOn(pretend: string) {
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawnSync(process.execPath, [...args, 'scripts/launch.mjs', 'src/main.ts'], {
    cwd: root,
    encoding: 'utf8',
    // One that is not refused runs on.
    timeout: 20_000,
  });
}

test.each([
  ['an older Node', node('20.11.0'), / with Node 20\.11\.0\. Install Node 24\.$/],
  ['Linux without glibc', withoutGlibc, /; this is linux without glibc \w+ with Node [\d.]+\.$/],
  ['another system', platform('freebsd'), /; this is freebsd \w+ with Node [\d.]+\.$/],
])('on %s the start says in one line what is needed and what is there', (_, pretend, why) => {
  const { status, stdout, stderr } = startOn(pretend);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Causeway runs on Node 24 or newer.*\n$/);
  expect(stderr.trimEnd()).toMatch(why);
});
