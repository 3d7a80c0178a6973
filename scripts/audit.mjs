import { spawnSync } from 'node:child_process';

/**
 * Known vulnerabilities of what is installed, as `npm audit` tells them: `{ outcome, said }`, the outcome `passed`,
 * `failed` or `skipped`. Without an answer in time, or with one that does not tell how many packages were asked about,
 * nothing is known.
 */
export function auditDependencies(run = runAudit) {
  const answer = readJson(run());
  const found = answer?.vulnerabilities;
  const asked = answer?.metadata?.dependencies?.total;
  if (typeof found !== 'object' || found === null || !(asked > 0))
    return { outcome: 'skipped', said: 'skipped, the registry gave no answer' };
  const names = Object.values(found).map(({ name, severity }) => `${name} (${severity})`);
  return names.length > 0
    ? { outcome: 'failed', said: names.join(', ') }
    : { outcome: 'passed', said: `none in ${asked} packages` };
}

function runAudit() {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=10000'], {
    encoding: 'utf8',
    timeout: 20_000,
  });
  return stdout;
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
