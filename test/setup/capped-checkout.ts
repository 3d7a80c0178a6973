import { beforeAll } from 'vitest';
import type { Charge, CheckoutLink } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { type TestApp, testApp } from './app.ts';
import { addressPath, payForm } from './checkout.ts';
import { testClock } from './clock.ts';
import { makeMerchant, noon } from './makers.ts';
import { pageVisitor } from './page-visitor.ts';

/** An application on whose pages one network may hold `cap` unpaid charges, with a clock that stands at noon. */
export function cappedCheckout(cap: number) {
  const clock = testClock(noon);
  let site: TestApp;
  let service: Service;
  let networks = 0;

  beforeAll(async () => {
    site = await testApp({ clock, metricsToken: 'the token of the metrics' });
    service = site.context.service;
    service.settings.checkoutChargesMax = cap;
  });

  return {
    clock,
    app: () => site.app,
    service: () => service,
    /** An address of a network that has started nothing. */
    newNetwork: () => `198.51.100.${++networks}`,
    async newShop(): Promise<{ shop: NewMerchant; path: string }> {
      clock.set(noon);
      const shop = await makeMerchant(service);
      return { shop, path: addressPath(shop.keys.live.publishableKey) };
    },
    /** Starts so many payments, each in a browser of its own; returns the statuses of the answers. */
    async start(path: string, address: string, times: number): Promise<number[]> {
      const statuses: number[] = [];
      for (let i = 0; i < times; i++)
        statuses.push((await pageVisitor(site.app, address).post(path, payForm)).status);
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
