import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { webhooksMax } from '../../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../../src/domain/accounts/webhook/delete-webhook.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

let service: Service;
let merchant: NewMerchant;

beforeAll(async () => {
  service = await setupService(onCleanup);
  merchant = await seedMerchant(service);
});

const strictly = (): Service => ({
  ...service,
  settings: { ...service.settings, allowPrivateWebhookUrls: false },
});

describe('a webhook', () => {
  test('is of version 0.9 and wants all its messages, unless said otherwise; the password is encrypted', async () => {
    const webhook = await seedWebhook(service, merchant, { password: 'open sesame' });
    const stored = await service.prisma.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    expect(stored).toMatchObject({
      merchantId: merchant.merchant.id,
      mode: 'live',
      url: 'https://shop.example/hooks',
      username: 'shop',
      version: '0.9',
      eventTypes: [],
      disabledAt: null,
      deletedAt: null,
      createdAt: noon,
    });
    expect(stored.passwordEncrypted).not.toContain('open sesame');
    const { id, passwordEncrypted } = stored;
    expect(await service.secrets.decrypt(passwordEncrypted, 'webhook.password_encrypted', id)).toBe(
      'open sesame',
    );
  });

  test('keeps each wanted message once', async () => {
    const messages = ['charge_expired', 'CHARGE_COMPLETE', 'charge_expired'];
    const webhook = await seedWebhook(service, merchant, {
      notificationVersion: '1.0',
      eventTypes: messages,
    });
    expect(webhook.eventTypes).toEqual(['charge_expired', 'CHARGE_COMPLETE']);
  });

  test.each([
    ['an address that is none', { url: 'shop.example/hooks' }, '/url'],
    ['credentials in the address', { url: 'https://a:b@shop.example/' }, '/url'],
    ['plain http to a public address in live mode', { url: 'http://shop.example/' }, '/url'],
    ['a script for an address', { url: 'javascript:alert(1)' }, '/url'],
    ['an address of 2,049 characters', { url: `https://shop.example/${'x'.repeat(2_028)}` }, '/url'],
    ['port 0', { url: 'https://shop.example:0/' }, '/url'],
    ['the port of SSH', { url: 'https://shop.example:22/' }, '/url'],
    ['the port of SMTP in the sandbox', { url: 'http://shop.example:25/', mode: 'sandbox' as const }, '/url'],
    ['port 65536', { url: 'https://shop.example:65536/' }, '/url'],
    ['no user name', { username: '' }, '/username'],
    ['a colon in the user name', { username: 'a:b' }, '/username'],
    ['a line break in the password', { password: 'a\nb' }, '/password'],
    ['a password of 256 characters', { password: 'x'.repeat(256) }, '/password'],
    ['an unknown version', { notificationVersion: '2.0' }, '/notificationVersion'],
    ['an unknown message', { eventTypes: ['CHARGE_COMPLETE', 'charge_paid'] }, '/eventTypes/1'],
    ['a message by a name of every object', { eventTypes: ['toString'] }, '/eventTypes/0'],
    ['a message of a later version', { eventTypes: ['charge_expired'] }, '/eventTypes/0'],
    [
      'a message that no webhook gets',
      { notificationVersion: '1.0', eventTypes: ['session_created'] },
      '/eventTypes/0',
    ],
  ])('with %s is refused', async (_, input, path) => {
    await expect(seedWebhook(service, merchant, input)).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path }],
    });
  });

  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://localhost/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://localhost./',
    'https://shop.localhost/',
    'https://127。0。0。1/',
  ])('at %s is refused where private targets are not allowed', async (url) => {
    await expect(seedWebhook(strictly(), merchant, { url })).rejects.toMatchObject({
      code: 'target_refused',
      inputErrors: [{ path: '/url' }],
    });
    expect((await seedWebhook(service, merchant, { url })).url).toBe(url);
  });

  test('is one of 50 in each mode at most, also when many are made at once; a deleted one makes room', async () => {
    const shop = await seedMerchant(service);
    const make = (mode: 'live' | 'sandbox' = 'live') => seedWebhook(service, shop, { mode });
    for (let i = 0; i < webhooksMax - 3; i++) await make();
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => make()));
    const refusals = made.filter(({ status }) => status === 'rejected');
    expect(refusals).toHaveLength(5);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ reason: { code: 'webhook_limit_reached' } });
    await make('sandbox');
    const { id } = await service.prisma.webhook.findFirstOrThrow({
      where: { merchantId: shop.merchant.id, mode: 'live' },
    });
    const owner = { merchantId: shop.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
    await deleteWebhook(service, { ...owner, id });
    await make();
    await expect(make()).rejects.toMatchObject({ code: 'webhook_limit_reached' });
  });

  test.each([
    'https://bücher.example/',
    'https://xn--bcher-kva.example./hooks',
    'https://shop.example:443/',
    'https://shop.example:8443/hooks?shop=1',
  ])('at %s is taken, as written', async (url) => {
    expect((await seedWebhook(strictly(), merchant, { url })).url).toBe(url);
  });
});
