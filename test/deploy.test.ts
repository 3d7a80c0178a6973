import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../src/kit/config.ts';
import { projectRoot } from './process/run-service.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

const findMetrics = (text: string) =>
  new Set(
    [...text.matchAll(/\bcauseway_[a-z_]+/g)].map(([name]) => name.replace(/_(?:count|bucket|sum)$/, '')),
  );

test('alerts and the dashboard use documented metrics, and alerts cover all those that monitor.md names', () => {
  const monitor = read('docs/operations/monitor.md');
  const documented = new Set([...monitor.matchAll(/^\| `(causeway_\w+)` \|/gm)].map(([, name]) => name!));
  expect(documented.size).toBeGreaterThan(15);
  const alerts = findMetrics(read('deploy/prometheus/alerts.yml'));
  const dashboard = read('deploy/grafana/dashboard.json');
  const panels: { targets: { expr: string }[] }[] = JSON.parse(dashboard).panels;
  expect(panels.every(({ targets }) => targets.every(({ expr }) => expr.length > 0))).toBe(true);
  const shown = findMetrics(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n'));
  expect([...alerts, ...shown].filter((name) => !documented.has(name))).toEqual([]);
  const recommended = findMetrics(monitor.split('Start with alerts on these:')[1]!.split('\n\n')[1]!);
  expect(recommended.size).toBeGreaterThan(4);
  expect([...recommended].filter((name) => !alerts.has(name))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool)('promtool accepts the alert rules', () => {
  execFileSync('promtool', ['check', 'rules', join(projectRoot, 'deploy/prometheus/alerts.yml')]);
});

test('the systemd unit stops the service as run-several-processes.md asks', () => {
  expect(readdirSync(join(projectRoot, 'deploy/systemd'))).toEqual(['causeway@.service']);
  const unit = read('deploy/systemd/causeway@.service');
  expect(unit).toMatch(/^KillMode=mixed$/m);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);
  expect(unit).toMatch(/^ExecStart=\/usr\/bin\/npm start$/m);
});

test('compose.ha.yaml starts the service with a valid environment', () => {
  const text = read('compose.ha.yaml');
  const readValue = (name: string) => new RegExp(`^ +${name}: (.*)$`, 'm').exec(text)?.[1] ?? '';
  const env = {
    ROLE: readValue('ROLE'),
    DATABASE_URL: readValue('DATABASE_URL'),
    DATABASE_DIRECT_URL: readValue('DATABASE_DIRECT_URL'),
    APP_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'https://pay.example',
  };
  expect(readConfig(env)).toMatchObject({
    role: 'api',
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
  });
});
