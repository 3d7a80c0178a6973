import { describe, expect } from 'vitest';
import type { Mode, Webhook } from '../../../prisma/client/client.ts';
import { webhooksMax } from '../../../src/domain/accounts/webhook/create-webhook.ts';
import { deleteWebhook } from '../../../src/domain/accounts/webhook/delete-webhook.ts';
import {
  type UpdateWebhookInput,
  updateWebhook,
} from '../../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { parseRedirectUrl } from '../../../src/domain/platform/target-url.ts';
import type { EventType } from '../../../src/event/catalog.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { noon } from '../../setup/seed.ts';

const withoutPrivateUrls = (service: Service): Service => ({
  ...service,
  settings: { ...service.settings, allowPrivateTargets: false },
});

describe('New webhook', () => {
  test('has version 0.9, all event types and an encrypted password by default', async ({
    service,
    merchant,
  }) => {
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

  test('keeps each event type once', async ({ service, merchant }) => {
    const eventTypes: EventType[] = ['charge_expired', 'CHARGE_COMPLETE', 'charge_expired'];
    const webhook = await seedWebhook(service, merchant, {
      notificationVersion: '1.0',
      eventTypes,
    });
    expect(webhook.eventTypes).toEqual(['charge_expired', 'CHARGE_COMPLETE']);
  });

  test.for([
    ['an invalid URL', { url: 'shop.example/hooks' }, '/url'],
    ['credentials in the URL', { url: 'https://a:b@shop.example/' }, '/url'],
    ['plain HTTP to a public address in live mode', { url: 'http://shop.example/' }, '/url'],
    ['a script as its URL', { url: 'javascript:alert(1)' }, '/url'],
    ['a URL of 2,049 characters', { url: `https://shop.example/${'x'.repeat(2_028)}` }, '/url'],
    ['port 0', { url: 'https://shop.example:0/' }, '/url'],
    ['the port of SSH', { url: 'https://shop.example:22/' }, '/url'],
    ['the port of SMTP in the sandbox', { url: 'http://shop.example:25/', mode: 'sandbox' as const }, '/url'],
    ['port 65536', { url: 'https://shop.example:65536/' }, '/url'],
    ['no user name', { username: '' }, '/username'],
    ['a colon in the user name', { username: 'a:b' }, '/username'],
    ['a line break in the password', { password: 'a\nb' }, '/password'],
    ['a password of 256 characters', { password: 'x'.repeat(256) }, '/password'],
    ['an event type of a later version', { eventTypes: ['charge_expired'] as EventType[] }, '/eventTypes/0'],
    [
      'an event type that no webhook receives',
      { notificationVersion: '1.0' as const, eventTypes: ['session_created'] as EventType[] },
      '/eventTypes/0',
    ],
  ] as const)('is rejected with %s', async ([_, input, path], { service, merchant }) => {
    await expect(seedWebhook(service, merchant, input)).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path }],
    });
  });

  test.for([
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
  ])('is rejected at %s if private addresses are not allowed', async (url, { service, merchant }) => {
    await expect(seedWebhook(withoutPrivateUrls(service), merchant, { url })).rejects.toMatchObject({
      code: 'target_refused',
      inputErrors: [{ path: '/url' }],
    });
    expect((await seedWebhook(service, merchant, { url })).url).toBe(url);
  });

  test('is limited to 50 in each mode, also concurrently, without deleted ones', async ({
    service,
    merchant,
  }) => {
    const create = (mode: 'live' | 'sandbox' = 'live') => seedWebhook(service, merchant, { mode });
    for (let i = 0; i < webhooksMax - 3; i++) await create();
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
    const rejections = results.filter(({ status }) => status === 'rejected');
    expect(rejections).toHaveLength(5);
    for (const rejection of rejections)
      expect(rejection).toMatchObject({ reason: { code: 'webhook_limit_reached' } });
    await create('sandbox');
    const { id } = await service.prisma.webhook.findFirstOrThrow({
      where: { merchantId: merchant.merchant.id, mode: 'live' },
    });
    const owner = { merchantId: merchant.merchant.id, mode: 'live', actor: 'user:test', now: noon } as const;
    await deleteWebhook(service, { ...owner, id });
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'webhook_limit_reached' });
  });

  test.for([
    'https://bücher.example/',
    'https://xn--bcher-kva.example./hooks',
    'https://shop.example:443/',
    'https://shop.example:8443/hooks?shop=1',
  ])('is created at %s with the URL as written', async (url, { service, merchant }) => {
    expect((await seedWebhook(withoutPrivateUrls(service), merchant, { url })).url).toBe(url);
  });
});

describe('Changed webhook', () => {
  const webhookTest = test.extend('webhook', ({ service, merchant }) =>
    seedWebhook(service, merchant, { url: 'https://shop.example/hooks' }),
  );

  const update = async (service: Service, webhook: Webhook, input: UpdateWebhookInput) => {
    const { id, merchantId, mode } = webhook;
    const options = { id, merchantId, mode, input, actor: 'user:test', now: noon };
    return (await updateWebhook(service, options)).webhook.url;
  };

  webhookTest('records the stored values in the audit trail', async ({ service, webhook }) => {
    await update(service, webhook, {
      name: ' Shop ',
      url: null,
      password: 'secret-2',
      notificationVersion: '1.0',
      eventTypes: ['charge_completed', 'charge_completed'],
      concurrency: null,
      isEnabled: true,
    });
    const entry = await service.prisma.auditEntry.findFirst({
      where: { objectId: webhook.id, action: 'webhook.updated' },
    });
    expect(entry?.detail).toEqual({
      name: 'Shop',
      password: 'changed',
      notificationVersion: '1.0',
      eventTypes: ['charge_completed'],
      concurrency: null,
      isEnabled: true,
    });
  });

  webhookTest.for([
    'https://elsewhere.example/hooks',
    'https://shop.example:8443/hooks',
    'http://127.0.0.1/hooks',
  ])('requires its password again for %s', async (url, { service, webhook }) => {
    await expect(update(service, webhook, { url })).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path: '/password' }],
    });
    expect(await update(service, webhook, { username: 'register' })).toBe(webhook.url);
  });

  webhookTest(
    'keeps its password for another path of the host, and requires it for another host',
    async ({ service, webhook }) => {
      expect(await update(service, webhook, { url: 'https://shop.example/other' })).toBe(
        'https://shop.example/other',
      );
      const [url, password] = ['https://elsewhere.example/hooks', 'another sesame'];
      expect(await update(service, webhook, { url, password })).toBe(url);
    },
  );
});

describe('Return URL', () => {
  const parse = (text: string, mode: Mode = 'live') =>
    parseRedirectUrl(text, '/redirectUrl', {
      mode,
      redirectSchemes: ['shop.app', 'javascript'],
      allowPrivateTargets: false,
    });

  test.for(['https://shop.example/back?x=1', 'shop.app://done'])('may be %s', (text) => {
    expect(parse(text)).toBe(text);
  });

  test('may be HTTP only in the sandbox', () => {
    expect(parse('http://shop.example/', 'sandbox')).toBe('http://shop.example/');
    expect(() => parse('http://shop.example/')).toThrow('must be an https URL');
  });

  test.for([
    'https://shop.example@elsewhere.example/',
    'https://user:password@shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/x',
    '//elsewhere.example',
    '/back',
    'other.app://done',
  ])('may not be %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
