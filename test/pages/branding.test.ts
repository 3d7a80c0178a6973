import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { updateMerchantSettings } from '../../src/domain/accounts/merchant/update-merchant-settings.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { decodePng } from '../../src/kit/png.ts';
import { appTest } from '../setup/app-fixtures.ts';
import {
  chargePath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import { readContent } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { createPicture } from '../setup/pictures.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { withMessageServers } from '../setup/service.ts';
import { payCharge } from '../setup/transfers.ts';

const test = appTest
  .extend('service', { scope: 'file' }, ({ app }) => withMessageServers(app.context.service))
  .extend('customer', ({ app }) => createPageVisitor(app.app));

type SettingsInput = Parameters<typeof updateMerchantSettings>[1]['input'];

function updateSettings(service: Service, { merchant }: NewMerchant, input: SettingsInput) {
  const caller = { kind: 'key', merchant, mode: 'live', permissions: new Set(['manage']), actor: 'key:test' };
  return updateMerchantSettings(service, { caller, now: noon, input } as never);
}

const toBase64 = (...args: Parameters<typeof createPicture>) => createPicture(...args).toString('base64');
const wideLogo = () => toBase64({ width: 240, height: 80, colorType: 6, sample: [200, 0, 0, 255] });

describe('A logo', () => {
  test('is encoded again, served with strict headers, and shown on every page', async ({
    app,
    service,
    merchant,
    customer,
  }) => {
    const { logo } = await updateSettings(service, merchant, { logo: wideLogo() });
    expect(logo).toMatch(/^[\w-]{24}-240x80$/);
    const response = await app.app.inject({ method: 'GET', url: `/logos/${logo}.png` });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const { width, height, pixels } = decodePng(response.rawPayload, { sideMax: 512 });
    expect([width, height, ...pixels.subarray(0, 3)]).toEqual([240, 80, 200, 0, 0]);
    const path = sessionPath(await seedSession(service, merchant, { now: noon }));
    const choose = await customer.get(path);
    await customer.post(path, payForm);
    const pay = await customer.get(path);
    await customer.post(path, { do: 'cancel' });
    const cancelled = await customer.get(path);
    const image = `<img class="logo" src="/logos/${logo}.png" alt="" width="240" height="80">`;
    for (const { text } of [choose, pay, cancelled]) {
      expect(text).toContain(image);
      expect(text).toContain(
        `<meta property="og:image" content="${service.settings.publicUrl}/logos/${logo}.png">`,
      );
    }
  });

  test('is replaced and removed with its file, and no other address has one', async ({
    app,
    service,
    merchant,
  }) => {
    const first = await updateSettings(service, merchant, { logo: wideLogo() });
    const second = await updateSettings(service, merchant, { logo: toBase64({ width: 64, height: 64 }) });
    const getStatus = async (key: string) =>
      (await app.app.inject({ method: 'GET', url: `/logos/${key}.png` })).statusCode;
    expect(await getStatus('%00')).toBe(404);
    expect([await getStatus(first.logo), await getStatus(second.logo)]).toEqual([404, 200]);
    const removed = await updateSettings(service, merchant, { logo: null });
    expect([removed.logo, await getStatus(second.logo)]).toEqual(['', 404]);
  });

  test('is recorded in the audit log by its key only', async ({ service, merchant }) => {
    const { logo } = await updateSettings(service, merchant, { logo: wideLogo() });
    const where = { merchantId: merchant.merchant.id, action: 'settings.updated' };
    const { detail } = await service.prisma.auditEntry.findFirstOrThrow({ where });
    expect(detail).toEqual({ logo: { from: '', to: logo } });
  });

  test.for([
    ['text', Buffer.from('<script>').toString('base64'), /PNG/],
    ['a large file', Buffer.alloc(129 * 1024).toString('base64'), /128 KiB/],
    ['a wide picture', toBase64({ width: 513, height: 64 }), /512 pixels/],
    ['a tiny picture', toBase64({ width: 16, height: 64 }), /at least 32/],
    ['a picture with 16 bits', toBase64({ width: 64, height: 64, bitDepth: 16 }), /8 bits/],
  ] as const)('is rejected if it is %s', async ([_, logo, message], { service, merchant }) => {
    const input = { logo, displayName: 'Teas' };
    await expect(updateSettings(service, merchant, input)).rejects.toThrow(message);
    const { displayName } = await service.prisma.merchant.findUniqueOrThrow({
      where: { id: merchant.merchant.id },
    });
    expect(displayName).toBe('');
  });
});

describe('A brand color', () => {
  test('styles pages by a stylesheet that the content security policy names', async ({
    service,
    merchant,
    customer,
  }) => {
    const path = linkPath(await seedCheckoutLink(service, merchant, { now: noon }));
    const before = await customer.get(path);
    await updateSettings(service, merchant, { brandColor: '#FFD400' });
    const { text, headers } = await customer.get(path);
    const [, style = ''] = /<style>(:root\{--brand:#ffd400;.*?)<\/style>/s.exec(text) ?? [];
    expect(style).toContain('--on-brand:#000000');
    expect(before.text).not.toContain('<style>:root{--brand');
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect(before.headers['content-security-policy']).not.toContain(hash);
  });

  test('is rejected unless it is six hexadecimal digits', async ({ service, merchant }) => {
    for (const brandColor of ['red', '#fff', '#12345g', '#000000;}body{display:none'])
      await expect(updateSettings(service, merchant, { brandColor })).rejects.toThrow(/hexadecimal/);
  });
});

test('customers see the display name instead of the account name', async ({
  service,
  merchant,
  customer,
}) => {
  await updateSettings(service, merchant, { displayName: ' 海港茶行 ' });
  const path = sessionPath(await seedSession(service, merchant, { now: noon }));
  await customer.post(path, payForm);
  const { text } = await customer.get(path);
  expect(text).toContain('<span class="merchant">海港茶行</span>');
  expect(text).toContain('<meta property="og:site_name" content="海港茶行">');
  await updateSettings(service, merchant, { displayName: '' });
  expect((await customer.get(path)).text).toContain('<span class="merchant">Harbour Teas</span>');
});

describe('A receipt', () => {
  const orders = [{ name: 'Dragon Well', quantity: 2, amount: 48 }];
  const input = { amount: 96, currency: 'HKD', orders };

  test('shows order lines, the amount, the method, the reference and the date with its year', async ({
    service,
    merchant,
    customer,
  }) => {
    const path = sessionPath(await seedSession(service, merchant, { input, now: noon }));
    await customer.post(path, payForm);
    const charge = await service.prisma.charge.findFirstOrThrow({
      where: { merchantId: merchant.merchant.id },
    });
    await payCharge(service, merchant, charge, { now: noon });
    const { main, text } = await customer.get(path);
    expect(main).toMatch(/Dragon Well .*2 × .*48\.00 .*96\.00 .*FPS/);
    expect(main).toContain(charge.paymentReference);
    expect(main).toContain('17 November 2026');
    expect(text).toContain('data-print');
    expect(text).toContain('<p class="print-title">Receipt from');
    expect(main).not.toContain('on its way to');
    await updateSettings(service, merchant, { areReceiptsEmailed: true });
    expect((await customer.get(path)).main).toContain('on its way to mei@example.com');
    await updateSettings(service, merchant, {
      postalAddress: '1 Queen’s Road\nHong Kong',
      taxNumber: 'BR 12345678',
    });
    const { main: completeReceipt } = await customer.get(path);
    expect(completeReceipt).toContain('From Harbour Teas 1 Queen’s Road Hong Kong');
    expect(completeReceipt).toContain('Tax number BR 12345678');
  });

  test('is emailed once if the merchant has enabled it, in the customer’s language', async ({
    service,
    merchant,
  }) => {
    const { id: merchantId } = merchant.merchant;
    const read = () => service.prisma.message.findMany({ where: { merchantId, kind: 'receipt' } });
    const seed = () =>
      seedCharge(service, merchant, {
        now: noon,
        input: { email: 'mei@example.com', orders: [{ name: 'Dragon Well', quantity: 2, amount: 48 }] },
      });
    await payCharge(service, merchant, await seed(), { now: noon });
    expect(await read()).toEqual([]);
    await updateSettings(service, merchant, { areReceiptsEmailed: true, brandColor: '#0e6b5c' });
    const charge = await seed();
    await service.prisma.charge.update({ where: { id: charge.id }, data: { language: 'id' } });
    await payCharge(service, merchant, charge, { now: noon });
    const [mail, ...more] = await read();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      recipient: 'mei@example.com',
      language: 'id',
      subject: 'Bukti pembayaran dari Harbour Teas',
    });
    const { text } = await readContent(service, mail!);
    expect(text).toMatch(/2 × Dragon Well: HK\$\s?96,00/);
    expect(text).toContain(charge.paymentReference);
    expect(text).toContain(chargePath(service, charge));
  });
});
