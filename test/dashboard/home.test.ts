import { expect } from 'vitest';
import { dayMs } from '../../src/kit/duration.ts';
import { newId } from '../../src/kit/id.ts';
import { desktop } from '../setup/browser.ts';
import { type DashboardSite, dashboardTest as test } from '../setup/dashboard-site.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

async function seedPaidCharge(
  { service, merchant }: DashboardSite,
  email: string,
  input: object,
  now = new Date(),
): Promise<void> {
  const charge = await seedCharge(service, merchant, { now, input: { email, ...input } });
  await payCharge(service, merchant, charge, { now });
}

/** Runs in the page and records when content disappears or is replaced by a placeholder. */
function noteFlicker(): void {
  const look = () => {
    const isThere = document.querySelector('[aria-label="Collected today"]');
    if (!isThere || document.querySelector('[aria-busy=true]'))
      document.documentElement.dataset.flickered = '';
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

test('Home shows the money collected today and by day for each currency and method, live', async ({
  site,
}) => {
  const { service, merchant } = site;
  const page = await site.open('', desktop);
  const today = page.getByRole('region', { name: 'Collected today' });
  await today.getByText('Nothing yet').waitFor();
  await page.getByText('A chart for each payment method appears').waitFor();
  await page.evaluate(noteFlicker);

  // Two amounts today, whose binary sum would not be exact, and one ten days ago.
  await seedPaidCharge(site, 'a@example.com', { merchantAmount: 0.1 });
  await seedPaidCharge(site, 'b@example.com', { merchantAmount: 0.2 });
  await today.getByText('$0.30 HKD').waitFor();
  await today.getByText('2 charges').waitFor();
  const earlier = new Date(Date.now() - 10 * dayMs);
  await seedPaidCharge(site, 'c@example.com', { merchantAmount: 1000 }, earlier);
  await seedPaidCharge(site, 'd@example.com', {
    method: 'paynow',
    merchantCurrency: 'SGD',
    merchantAmount: 45.2,
  });
  await page.getByRole('img', { name: /^PayNow in SGD, 1 charge; highest on .*: \$45\.20 SGD$/ }).waitFor();
  await page.getByRole('img', { name: /^FPS in HKD, 3 charges; highest on .*: \$1,000\.00 HKD$/ }).waitFor();
  const chart = page.getByRole('figure').filter({ hasText: 'FPS' });
  await chart.getByText('$1,000.30 HKD').waitFor();
  await chart.getByText('View data').click();
  const figures = chart.getByRole('list', { name: 'FPS in HKD by day' }).getByRole('listitem');
  expect(await figures.allTextContents()).toEqual([
    expect.stringContaining('$1,000.00 HKD'),
    expect.stringContaining('$0.30 HKD'),
  ]);

  await service.prisma.alert.create({
    data: {
      id: newId('alert', new Date()),
      merchantId: merchant.merchant.id,
      mode: 'live',
      kind: 'endpoint_failing',
      url: 'https://shop.example/hooks',
      detail: 'the endpoint responded with 500',
      dedupeKey: 'test',
      createdAt: new Date(),
    },
  });
  const charge = await seedCharge(service, merchant, { now: new Date(), input: { email: 'e@example.com' } });
  await page.getByRole('region', { name: 'Awaiting payment' }).getByText('1', { exact: true }).waitFor();
  await payCharge(service, merchant, charge, { minor: 100n, reference: 'no word' });
  const waiting = page.getByRole('region', { name: 'Needs review' });
  await waiting.getByText('1', { exact: true }).waitFor();
  const failing = page.getByRole('region', { name: 'Alerts' });
  await failing.getByText('1', { exact: true }).waitFor();
  // The content stayed while it was updated.
  expect(await page.locator('html').getAttribute('data-flickered')).toBeNull();
  await failing.getByRole('link', { name: 'View' }).click();
  await page.getByText('Notifications are not arriving').waitFor();
});
