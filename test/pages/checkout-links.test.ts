import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { linkPath, payForm, seedCheckoutLink } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup, { clock: createFakeClock(noon) });
  merchant = await seedMerchant(app.context.service);
});

const redirectUrl = 'https://shop.example/cart';

async function linkOnce(options: { mode?: 'sandbox' } = {}) {
  const input = { usesLimit: 1, redirectUrl };
  const link = await seedCheckoutLink(app.context.service, merchant, { now: noon, input, ...options });
  return { link, address: linkPath(link) };
}

describe('a link that takes no more payments', () => {
  test('whose one use this browser took leads it to its payment, also when the form is sent again', async () => {
    const { address } = await linkOnce({ mode: 'sandbox' });
    const customer = createPageVisitor(app.app);
    const paid = await customer.post(address, payForm);
    expect([paid.status, (await customer.get(paid.location)).status]).toEqual([303, 200]);
    const back = await customer.get(address);
    expect([back.status, back.location]).toEqual([302, paid.location]);
    const again = await customer.post(address, payForm);
    expect([again.status, again.location]).toEqual([303, paid.location]);
    expect((await customer.get(back.location)).main).toContain('Waiting for your payment');
  });

  test('leads to the newest of several payments, each a charge of its own', async () => {
    const link = await seedCheckoutLink(app.context.service, merchant, { now: noon });
    const address = linkPath(link);
    const customer = createPageVisitor(app.app);
    const paid = [await customer.post(address, payForm), await customer.post(address, payForm)];
    const locations = paid.map(({ location }) => location).sort();
    expect(new Set(locations).size).toBe(2);
    await closeLink(link.id);
    expect((await customer.get(address)).location).toBe(locations[1]);
  });

  test('is 410 to everybody else, with the way back to the shop', async () => {
    const { address } = await linkOnce();
    await createPageVisitor(app.app).post(address, payForm);
    const { link, address: closed } = await linkOnce();
    await closeLink(link.id);
    const other = createPageVisitor(app.app);
    // Of another link: it opens no payment of this one.
    await other.post((await linkOnce()).address, payForm);
    for (const gone of [address, closed]) {
      for (const visit of [await other.get(gone), await other.post(gone, payForm)]) {
        expect([visit.status, visit.main.includes('This payment link is closed')]).toEqual([410, true]);
        expect(visit.main).toContain('Back to Harbour Teas');
        expect(visit.text).toContain(`href="${redirectUrl}"`);
      }
    }
  });

  test('is so too where somebody made the cookie up', async () => {
    const { address } = await linkOnce();
    const paid = await createPageVisitor(app.app).post(address, payForm);
    const id = /charge=(ch_\w+)/.exec(paid.location)?.[1];
    const cookie = `causeway_made_${id}=${'A'.repeat(43)}`;
    expect((await createPageVisitor(app.app).get(address, { cookie })).status).toBe(410);
  });
});

async function closeLink(id: string): Promise<void> {
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  await closeCheckoutLink(app.context.service, { ...owner, id, now: noon });
}
