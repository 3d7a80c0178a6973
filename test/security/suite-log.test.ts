import { beforeAll, describe, expect, test } from 'vitest';
import { createKeyPair } from '../../src/domain/accounts/certificate/create-certificate.ts';
import { hashPassword } from '../../src/domain/accounts/user/create-user.ts';
import { generateSigningSecret } from '../../src/domain/accounts/webhook/webhook-input.ts';
import {
  createCancelToken,
  createClientToken,
  createPageToken,
} from '../../src/domain/payments/checkout/page-tokens.ts';
import { newId } from '../../src/kit/id.ts';
import { newToken } from '../../src/kit/token.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createLineScanner, failOnLoggedSecrets, findSecrets, scanLog } from '../setup/logged-secrets.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import { testAppSecret, testSecrets } from '../setup/service.ts';
import { password } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

/** The log of the whole suite is read for secrets (test/setup/logged-secrets.ts), by what would see each kind of them. */

let app: TestApp;

beforeAll(async () => {
  app = await setupApp(onCleanup);
});

const asLine = (text: string) => JSON.stringify({ level: 30, msg: `before ${text} after` });

test('each kind of secret is seen in a line of a log, and an ordinary line is not taken for one', async () => {
  const { keys } = await seedMerchant(app.context.service);
  const charge = { id: newId('charge', noon), mode: 'live' } as const;
  const secrets: Record<string, string> = {
    'an API secret': keys.live.apiSecret,
    'a sandbox secret': keys.sandbox.apiSecret,
    'a signing secret': generateSigningSecret(),
    'HTTP Basic': basicAuth(keys.live),
    'a bearer': `Bearer ${newToken()}`,
    'a session’s cookie': `causeway-session=${newToken()}`,
    'a browser’s cookie': `__Host-causeway_browser=${newToken()}`,
    'a client token': createClientToken(testSecrets, charge),
    'a cancel token in an address': `/charges/${charge.id}/cancel?cancelToken=${createCancelToken(testSecrets, charge)}`,
    'a page’s token': createPageToken(testSecrets, 'refund', {
      id: newId('refund', noon),
      mode: 'live',
      linkVersion: 1,
    }),
    'the link of a mail': `http://127.0.0.1:4000/dashboard/reset-password#${newToken()}`,
    'a private key': (await createKeyPair()).privateKey,
    'a hash of a password': await hashPassword(password),
    'a database’s password': 'postgresql://causeway:hunter2@127.0.0.1:5432/causeway',
    'the secret of the tests': testAppSecret,
    'a password': password,
    'a customer’s address': 'ada@example.com',
  };
  const unseen = Object.entries(secrets).filter(([, secret]) => findSecrets(asLine(secret)).length === 0);
  expect(unseen.map(([name]) => name)).toEqual([]);
  for (const plain of [
    { msg: 'request completed', req: { method: 'GET', path: `/charges/${charge}` }, reqId: 'req_0' },
    { msg: 'request completed', req: { method: 'POST', path: '/pay/refund/…' }, responseTime: 1.5 },
    { err: { type: 'Error', message: 'connect ECONNREFUSED postgresql://127.0.0.1:5432/causeway' } },
  ])
    expect(findSecrets(JSON.stringify(plain))).toEqual([]);
});

describe('what the tests start', () => {
  const refused = () => {
    try {
      failOnLoggedSecrets();
      return '';
    } catch (error) {
      return String(error);
    }
  };

  test('writes its log where that is read, and a secret in it fails the file', async () => {
    app.app.log.info('ordinary');
    expect(refused()).toBe('');
    app.app.log.warn({ of: 'a test' }, 'ada@example.com');
    app.app.log.child({ token: `causeway-session=${newToken()}` }).trace('deep down');
    expect(refused()).toMatch(/an address of a customer: .*\n?.*a cookie: /s);
    // Told once.
    expect(refused()).toBe('');
  });

  test('as a process is read line by line, however it arrives', () => {
    const read = createLineScanner();
    const line = asLine('-----BEGIN PRIVATE KEY-----');
    for (const letter of `${asLine('nothing')}\n${line}`) read(letter);
    expect(refused()).toBe('');
    read(Buffer.from('\n'));
    expect(refused()).toContain('a private key');
    scanLog(asLine('nothing'));
    expect(refused()).toBe('');
  });
});
