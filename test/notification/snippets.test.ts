import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { relayEvents } from '../../src/event/relay-events.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { makeCompletedCharge, makeMerchant } from '../setup/makers.ts';
import { trickyInput } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { testService } from '../setup/service.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';

/** The ways to verify a callback that docs/notifications.md shows, run as they stand there on a callback as it is sent. */

const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8');

const languages = {
  js: { file: 'verify.mjs', command: [process.execPath], probe: ['--version'] },
  python: { file: 'verify.py', command: ['python3'], probe: ['-c', 'import cryptography'] },
  php: { file: 'verify.php', command: ['php'], probe: ['-r', 'exit(extension_loaded("openssl") ? 0 : 1);'] },
  sh: { file: 'verify.sh', command: ['sh'], probe: ['-c', 'openssl version'] },
};

let body = '';
let certificate = '';

beforeAll(async () => {
  const service = await testService();
  const merchant = await makeMerchant(service);
  await using receiver = await startReceiver();
  const now = new Date();
  const input = { ...trickyInput, notifyUrl: `${receiver.url}/callback` };
  await makeCompletedCharge(service, merchant, { input, now });
  await relayEvents(service, { now });
  await deliverNotifications(service, { clock: { now: () => now } });
  body = receiver.requests[0]!.body;
  certificate = merchant.certificates.sandbox;
});

function snippetOf(language: string): string {
  const found = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, name]) => name === language);
  expect(found).toHaveLength(1);
  return found[0]![2]!;
}

function run([program, ...args]: readonly string[], cwd = '.'): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(program!, args, { cwd, encoding: 'utf8' });
  return { status, said: status === 0 ? stdout.trim() : `${stdout}${stderr}`.trim() };
}

describe.each(Object.entries(languages))('the snippet for %s', (language, { file, command, probe }) => {
  const isThere = run([...command, ...probe]).status === 0;
  test.skipIf(!isThere)(
    `tells genuine from forged${isThere ? '' : ` (skipped: no ${command[0]} here)`}`,
    async () => {
      const folder = await temporaryFolder();
      writeFileSync(join(folder, file), snippetOf(language));
      writeFileSync(join(folder, 'public.pem'), certificate);
      const verdictOn = (text: string) => {
        writeFileSync(join(folder, 'body.json'), text);
        return run([...command, file], folder).said;
      };
      expect(verdictOn(body)).toBe('genuine');
      expect(verdictOn(body.replace('"merchantAmount":128.5', '"merchantAmount":1.5'))).toBe('forged');
      expect(verdictOn(body.replace('"status":"completed"', '"status":"pending"'))).toBe('forged');
    },
  );
});
