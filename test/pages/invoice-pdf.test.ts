import { extractText } from 'unpdf';
import { expect, test } from 'vitest';
import { invoicePdfUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import { readSubscription, seedInvoicedSubscription } from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

const start = day('2026-01-31');
const clock = createFakeClock(start);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const merchant = await seedMerchant(service, {}, start);

const invoiced = () => seedInvoicedSubscription(service, merchant, clock);

async function readPdf(path: string) {
  const { statusCode, headers, rawPayload } = await app.inject({ url: path });
  if (statusCode !== 200) return { status: statusCode, text: '', headers, bytes: rawPayload };
  const { text } = await extractText(new Uint8Array(rawPayload), { mergePages: true });
  return { status: statusCode, text: text.replace(/\s+/g, ' '), headers, bytes: rawPayload };
}

test('the invoice’s page links to its document; what it was made with stays, whatever is renamed', async () => {
  const { invoice, invoicePath, plan } = await invoiced();
  const page = await createPageVisitor(app).get(invoicePath);
  const path = toPath(invoicePdfUrl(service, invoice));
  expect(page.text).toContain(`href="${path}"`);
  const made = await readPdf(path);
  expect(made.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="invoice-${invoice.number}.pdf"`,
    'cache-control': 'no-store',
  });
  expect(made.text).toContain('Harbour Teas');
  expect(made.text).toContain('Tea of the month');
  expect(made.text).toContain('Total HKD 100.00');
  const input = { name: 'Coffee', orders: [{ name: 'Beans' }] };
  const options = {
    merchant: merchant.merchant,
    mode: 'live',
    id: plan.id,
    input,
    now: clock.now(),
  } as const;
  await updateSubscriptionPlan(service, options);
  expect((await readPdf(path)).bytes.equals(made.bytes)).toBe(true);
  expect((await readPdf(path.replace(/.\/pdf/, 'x/pdf'))).status).toBe(404);
});

test('who uses the pages in Chinese is written to in Chinese from then on', async () => {
  const { id, invoice, invoicePath } = await invoiced();
  const customer = createPageVisitor(app);
  await customer.post(`${invoicePath}?lang=zh`, { method: 'fps' });
  expect(await readSubscription(service, id)).toMatchObject({ language: 'zh' });
  expect((await readPdf(toPath(invoicePdfUrl(service, invoice)))).text).toContain('账单');
});
