import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { testApp } from '../setup/app.ts';
import { count } from '../setup/counts.ts';
import { makeMerchant } from '../setup/makers.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';

/** The path of its program; `.ci/run` installs it where Python is present. */
const { SCHEMATHESIS } = process.env;
const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));

test.skipIf(!SCHEMATHESIS)(
  'Schemathesis finds nothing wrong (runs where SCHEMATHESIS names its program)',
  async () => {
    const app = await testApp();
    const { keys } = await makeMerchant(app.context.service, {}, new Date());
    const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
    const { apiKey, apiSecret } = keys.sandbox;
    const child = spawn(
      SCHEMATHESIS as string,
      [
        ...['--config-file', config],
        ...['run', `${url}/openapi.json`, '--url', url, '--auth', `${apiKey}:${apiSecret}`],
        ...['--max-examples', String(count(2, 100)), '--seed', '1', '--phases', 'examples,coverage,fuzzing'],
      ],
      // It leaves its notes where it runs.
      { stdio: ['ignore', 'pipe', 'pipe'], cwd: await temporaryFolder() },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        said += chunk;
      });
    }
    const [code] = await once(child, 'close');
    expect(code, said).toBe(0);
  },
  600_000,
);
