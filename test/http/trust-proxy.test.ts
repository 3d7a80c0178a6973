import { expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

test('the address of a caller is that of the connection, unless that is a proxy of TRUST_PROXY', async () => {
  const { context } = await setupApp(onCleanup);
  const { merchant, keys } = await seedMerchant(context.service);
  const addressTold = async (trustProxy: string[]) => {
    const behind = await buildApp({ ...context, options: { ...context.options, trustProxy } });
    onCleanup(() => behind.close());
    const answer = await behind.inject({
      method: 'POST',
      url: '/checkout-link',
      headers: { authorization: basicAuth(keys.live), 'x-forwarded-for': '198.51.100.7, 203.0.113.9' },
      payload: { amount: 5, currency: 'HKD', apiKey: keys.live.publishableKey },
      remoteAddress: '10.0.0.5',
    });
    expect(answer.statusCode).toBe(200);
    const entry = await context.service.prisma.auditEntry.findFirst({
      where: { merchantId: merchant.id },
      orderBy: { id: 'desc' },
    });
    return entry?.ipAddress;
  };
  expect(await addressTold(['192.0.2.0/24'])).toBe('10.0.0.5');
  expect(await addressTold(['10.0.0.0/8'])).toBe('203.0.113.9');
});
