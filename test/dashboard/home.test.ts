import { expect, test } from 'vitest';
import { dayMs } from '../../src/kit/duration.ts';
import { newId } from '../../src/kit/id.ts';
import { wide } from '../setup/browser.ts';
import { dashboardSite } from '../setup/dashboard-site.ts';
import { makeCharge } from '../setup/makers.ts';
import { payCharge } from '../setup/transfers.ts';

/** The first page: how things stand, and over the last days. */

const site = dashboardSite();

async function paid(email: string, input: object, now = new Date()): Promise<void> {
  const { service, merchant } = site;
  const charge = await makeCharge(service, merchant, { now, input: { email, ...input } });
  await payCharge(service, merchant, charge, { now });
}

/** Runs in the page: notes when what is shown goes, or gives way to an outline. */
function noteFlicker(): void {
  const look = () => {
    const isThere = document.querySelector('[aria-label="Collected today"]');
    if (!isThere || document.querySelector('[aria-busy=true]'))
      document.documentElement.dataset.flickered = '';
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

test('collected today and over the days, a chart a currency and method, live', async () => {
  const { service, merchant } = site;
  const page = await site.open('', wide);
  const today = page.getByRole('region', { name: 'Collected today' });
  await today.getByText('Nothing yet').waitFor();
  await page.getByText('A chart for each payment method appears').waitFor();
  await page.evaluate(noteFlicker);

  // Twice today and once ten days before: exact where binary numbers are not.
  await paid('a@example.com', { merchantAmount: 0.1 });
  await paid('b@example.com', { merchantAmount: 0.2 });
  await today.getByText('$0.30 HKD').waitFor();
  await today.getByText('2 charges').waitFor();
  const earlier = new Date(Date.now() - 10 * dayMs);
  await paid('c@example.com', { merchantAmount: 1000 }, earlier);
  await paid('d@example.com', { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 });
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
  const charge = await makeCharge(service, merchant, { now: new Date(), input: { email: 'e@example.com' } });
  await page.getByRole('region', { name: 'Awaiting payment' }).getByText('1', { exact: true }).waitFor();
  await payCharge(service, merchant, charge, { minor: 100n, reference: 'no word' });
  const waiting = page.getByRole('region', { name: 'Needs review' });
  await waiting.getByText('1', { exact: true }).waitFor();
  const failing = page.getByRole('region', { name: 'Alerts' });
  await failing.getByText('1', { exact: true }).waitFor();
  // All that has been read anew since, and what was there stayed meanwhile.
  expect(await page.locator('html').getAttribute('data-flickered')).toBeNull();
  await failing.getByRole('link', { name: 'View' }).click();
  await page.getByText('Notifications are not arriving').waitFor();
});
