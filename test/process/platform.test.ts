import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What a start says that finds itself on this Node, before anything of the service is loaded. */
function startOn(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
  return spawnSync(process.execPath, [...args, 'scripts/launch.mjs', 'src/main.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
}

test('on a Node that cannot run the service, the start says in one line what is needed and what is there', () => {
  const { status, stdout, stderr } = startOn('20.11.0');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Causeway runs on Node 24 or newer.* with Node 20\.11\.0\. Install Node 24\.\n$/);
});
