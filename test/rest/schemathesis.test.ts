import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { setupApp } from '../setup/app.ts';
import { count } from '../setup/counts.ts';
import { seedMerchant } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';

/** The path of the program; `.ci/run` installs it where Python is present. */
const { SCHEMATHESIS } = process.env;
const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));

test.skipIf(!SCHEMATHESIS)(
  'Schemathesis finds no error (runs where SCHEMATHESIS names its program)',
  async () => {
    const app = await setupApp(onTestFinished);
    const { keys } = await seedMerchant(app.context.service, {}, new Date());
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { apiKey, apiSecret } = keys.sandbox;
    const child = spawn(
      SCHEMATHESIS as string,
      [
        ...['--config-file', config],
        ...['run', `${url}/openapi.json`, '--url', url, '--auth', `${apiKey}:${apiSecret}`],
        ...['--max-examples', String(count(2, 100)), '--seed', '1', '--phases', 'examples,coverage,fuzzing'],
      ],
      // Schemathesis writes files to its working directory.
      { stdio: ['ignore', 'pipe', 'pipe'], cwd: await createTempDir(onTestFinished) },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const [code] = await once(child, 'close');
    expect(code, output).toBe(0);
  },
  600_000,
);
