import { extractText } from 'unpdf';
import { expect } from 'vitest';
import { shareLink } from '../../src/domain/payments/checkout-link/share-link.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';

test('the preview of a shared link equals the Open Graph tags of its page', async ({
  app,
  service,
  merchant,
}) => {
  const visitor = createPageVisitor(app.app);
  const fixed = await seedCheckoutLink(service, merchant, { now: noon, mode: 'sandbox' });
  const custom = { amount: null, customAmount: {} };
  const open = await seedCheckoutLink(service, merchant, { now: noon, input: custom });
  for (const link of [fixed, open]) {
    for (const language of ['en', 'zh-Hant', 'th'] as const) {
      const shared = shareLink(service, { link, merchant: merchant.merchant, language });
      const { text } = await visitor.get(shared.url.replace(service.settings.publicUrl, ''));
      expect(text).toContain(`<meta property="og:title" content="${shared.title}">`);
      expect(text).toContain(`<meta property="og:description" content="${shared.description}">`);
      expect(text).toContain(`<meta property="og:site_name" content="${shared.siteName}">`);
    }
  }
});

test('the poster shows the merchant, the name of the link, the amount and the methods', async ({
  app,
  service,
  merchant,
}) => {
  const expiresAt = minutesAfter(noon, 60);
  const input = { expiresAt, name: 'Market stall', paymentMethods: { HK: ['fps'], TH: ['prompt-pay'] } };
  const link = await seedCheckoutLink(service, merchant, { now: noon, input });
  const read = async (language: 'en' | 'ko', second = '') => {
    const { posterUrl } = shareLink(service, { link, merchant: merchant.merchant, language });
    const { statusCode, headers, rawPayload } = await app.app.inject(
      posterUrl.replace(service.settings.publicUrl, '') + second,
    );
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
    const { text, totalPages } = await extractText(new Uint8Array(rawPayload), { mergePages: true });
    expect(totalPages).toBe(1);
    return text;
  };
  const text = await read('en');
  for (const part of [
    merchant.merchant.name,
    'Market stall',
    'HK$128.50',
    'Scan to pay',
    'phone’s camera',
    'FPS',
    'PromptPay',
  ])
    expect(text).toContain(part);
  // The merchant has set no time zone, so the country of the first method decides.
  expect(text).toMatch(/Valid until 17 November 2026 at 9:00\spm GMT\+8/);
  expect(await read('ko')).toContain('스캔');
  const both = await read('ko', '&second=zh-Hant');
  for (const part of ['스캔', '手機相機', 'HK$128.50']) expect(both).toContain(part);
  expect(await read('en', '&second=en')).toBe(text);
  const { posterUrl } = shareLink(service, {
    link: { ...link, mode: 'sandbox' },
    merchant: merchant.merchant,
    language: 'en',
  });
  // A token of the other mode opens nothing.
  expect((await app.app.inject(posterUrl.replace(service.settings.publicUrl, ''))).statusCode).toBe(404);
});

test('the poster needs the URL that the merchant receives', async ({ app, service, merchant }) => {
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  const { posterUrl } = shareLink(service, { link, merchant: merchant.merchant, language: 'en' });
  const path = posterUrl.replace(service.settings.publicUrl, '');
  for (const forged of [path.replace('.', '.x'), `/pay/poster/${link.id}`, '/pay/poster/nothing'])
    expect((await app.app.inject(forged)).statusCode).toBe(404);
});
