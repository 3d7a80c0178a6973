import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { createTempDir } from '../setup/temp-dir.ts';
import { createEnv, projectRoot } from './run-service.ts';

/** Each benchmark takes seconds with these sizes, which are too small for meaningful figures. */
const smallSizes: Record<string, string> = {
  anonymous: '--seconds 1',
  api: '--charges 2000 --seconds 1 --rounds 1',
  dashboard: '--rows 2000 --rounds 1',
  deliveries: '--events 300 --rounds 1 --idle 5',
  feeds: '--rate 20 --seconds 2',
  imports: '--entries 2000',
  isolation: '--rate 20 --seconds 2',
  lists: '--rows 2000 --rounds 1',
  live: '--subscribers 20 --changes 3',
  moves: '--charges 2000',
  pages: '--rounds 1',
  processes: '--charges 2000 --seconds 1 --rounds 1',
  renewals: '--subscriptions 300 --due 50',
  retention: '--rows 2000 --merchants 10',
  soak: '--requests 300 --charges 2000 --idle 1',
  totals: '--rows 2000 --rounds 1',
  transfers: '--charges 300',
};

const benchmarkNames = readdirSync(join(projectRoot, 'bench'))
  .filter((name) => name.endsWith('.ts') && name !== 'run.ts')
  .map((name) => name.replace('.ts', ''));

test.for(benchmarkNames)(
  'The benchmark %s runs on the current schema',
  { timeout: 600_000 },
  async (name) => {
    const env = createEnv({ BENCH_DATA_DIR: await createTempDir(onTestFinished) });
    const options = smallSizes[name]!.split(' ');
    const { stdout } = await promisify(execFile)(
      'npm',
      ['run', '--silent', 'bench', '--', name, ...options],
      {
        cwd: projectRoot,
        env,
      },
    );
    expect(stdout).toMatch(/^\| [-:| ]+ \|$/m);
  },
);
