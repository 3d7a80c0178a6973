import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { setupDatabase } from '../setup/database.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { startReceiver } from '../setup/receiver.ts';
import { testAppSecret } from '../setup/service.ts';
import { askCli, runCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let env: Record<string, string>;

beforeAll(async () => {
  const { connectionString } = await setupDatabase(onCleanup);
  env = { DATABASE_URL: connectionString, APP_SECRET: testAppSecret };
});

describe('message test', () => {
  test('sends a mail by SMTP_URL and says how that went', async () => {
    await using server = await startMailServer();
    const set = { ...env, SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Pay <pay@shop.example>' };
    expect(await askCli(set, 'message', 'test', 'ada@example.com')).toEqual({
      to: 'ada@example.com',
      isSent: true,
    });
    expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
    await server.stop();
    const { code, stdout } = await runCli(set, ['message', 'test', 'ada@example.com', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      isSent: false,
      error: 'the mail server cannot be reached (ECONNREFUSED)',
    });
  });

  test('posts an SMS to SMS_URL, signed with the key that secrets sms-key prints', async () => {
    await using gateway = await startReceiver();
    await askCli({ ...env, SMS_URL: gateway.url }, 'message', 'test', '+85251234567');
    const { key } = await askCli(env, 'secrets', 'sms-key');
    const { headers, body } = gateway.requests[0]!;
    expect(JSON.parse(body)).toMatchObject({ to: '+85251234567' });
    const signed = `${headers['causeway-timestamp']}.${body}`;
    const expected = createHmac('sha256', key).update(signed).digest('hex');
    expect(headers['causeway-signature']).toBe(`v1=${expected}`);
  });
});
