import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Webhook } from '../../../prisma/client/client.ts';
import {
  type UpdateWebhookInput,
  updateWebhook,
} from '../../../src/domain/accounts/webhook/update-webhook.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { seedWebhook } from '../../setup/notifications.ts';
import { noon, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** A webhook's password is sent to its address: whoever may change that does not come by the password so. */

let service: Service;
let webhook: Webhook;

beforeAll(async () => {
  service = await setupService(onCleanup);
});

beforeEach(async () => {
  const url = 'https://shop.example/hooks';
  webhook = await seedWebhook(service, await seedMerchant(service), { url });
});

const update = async (input: UpdateWebhookInput) => {
  const { id, merchantId, mode } = webhook;
  const options = { id, merchantId, mode, input, actor: 'user:test', now: noon };
  return (await updateWebhook(service, options)).webhook.url;
};

test.each(['https://elsewhere.example/hooks', 'https://shop.example:8443/hooks', 'http://127.0.0.1/hooks'])(
  'at %s it is given anew',
  async (url) => {
    await expect(update({ url })).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path: '/password' }],
    });
    expect(await update({ username: 'till' })).toBe(webhook.url);
  },
);

test('it stays at another path of the host, and goes where it is given for', async () => {
  expect(await update({ url: 'https://shop.example/other' })).toBe('https://shop.example/other');
  const [url, password] = ['https://elsewhere.example/hooks', 'another sesame'];
  expect(await update({ url, password })).toBe(url);
});
