import { beforeAll } from 'vitest';
import type { Charge, CheckoutLink } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { setupApp, type TestApp } from './app.ts';
import { addressPath, payForm } from './checkout.ts';
import { cleanupAfterFile } from './cleanup.ts';
import { createFakeClock } from './fake-clock.ts';
import { createPageVisitor } from './page-visitor.ts';
import { noon, seedMerchant } from './seed.ts';

/** An application whose pages limit the unpaid charges of a network to `cap`, with a clock that stands at noon. */
export function setupCappedCheckout(cap: number) {
  const onCleanup = cleanupAfterFile();
  const clock = createFakeClock(noon);
  let site: TestApp;
  let service: Service;
  let networkCount = 0;

  beforeAll(async () => {
    site = await setupApp(onCleanup, { clock, metricsToken: 'the token of the metrics' });
    service = site.context.service;
    service.settings.checkoutChargesMax = cap;
  });

  return {
    clock,
    app: () => site.app,
    service: () => service,
    /** An address of a network without charges. */
    newNetwork: () => `198.51.100.${++networkCount}`,
    async newShop(): Promise<{ shop: NewMerchant; path: string }> {
      clock.set(noon);
      const shop = await seedMerchant(service);
      return { shop, path: addressPath(shop.keys.live.publishableKey) };
    },
    /** Starts `times` payments, each in a new browser; returns the statuses of the responses. */
    async start(path: string, address: string, times: number): Promise<number[]> {
      const statuses: number[] = [];
      for (let i = 0; i < times; i++)
        statuses.push((await createPageVisitor(site.app, address).post(path, payForm)).status);
      return statuses;
    },
    newestCharge: ({ merchant: { id: merchantId } }: NewMerchant) =>
      service.prisma.charge.findFirstOrThrow({ where: { merchantId }, orderBy: { id: 'desc' } }),
    readLink: ({ id }: CheckoutLink) => service.prisma.checkoutLink.findUniqueOrThrow({ where: { id } }),
    cancel: ({ id, merchantId, mode }: Charge) =>
      cancelCharge(service, { id, merchantId, mode, by: 'customer', actor: 'customer', now: clock.now() }),
    /** Runs `work` without the cap. */
    async uncapped(work: () => Promise<void>): Promise<void> {
      service.settings.checkoutChargesMax = 0;
      try {
        await work();
      } finally {
        service.settings.checkoutChargesMax = cap;
      }
    },
  };
}
