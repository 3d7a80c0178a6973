import { beforeAll, describe, expect, test } from 'vitest';
import type { Refund } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { decryptPayoutDetails } from '../../src/domain/payments/refund/decrypt-payout-details.ts';
import { refundDetailsUrl } from '../../src/domain/payments/refund/details-url.ts';
import { reopenRefund } from '../../src/domain/payments/refund/reopen-refund.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup, { clock: createFakeClock(noon) });
  merchant = await seedMerchant(app.context.service);
});

const owner = () =>
  ({ merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'test', now: noon }) as const;
const addressOf = (refund: Refund) => toPath(refundDetailsUrl(app.context.service, refund)!);

async function makeRefund(method: MethodCode = 'fps', merchantAmount = 128.5, merchantCurrency = 'HKD') {
  const { service } = app.context;
  const input = { method, merchantAmount, merchantCurrency };
  const charge = await seedCompletedCharge(service, merchant, { input });
  const { refund } = await createRefund(service, {
    ...owner(),
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  return refund;
}

const stored = (id: string) => app.context.service.prisma.refund.findUniqueOrThrow({ where: { id } });
const hongKong = { bank: '004', account: '123-456789-838', holder: 'Ada Wong' };

describe('the page for refund details', () => {
  test('asks where the money goes, once', async () => {
    const refund = await makeRefund();
    const visitor = createPageVisitor(app.app);
    const shown = await visitor.get(addressOf(refund));
    expect(shown.status).toBe(200);
    expect(shown.headers['referrer-policy']).toBe('no-referrer');
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.main).toContain('Refund from Harbour Teas');
    expect(shown.main).toContain('$20.00 HKD');
    expect(shown.text).toContain('Sandbox');
    const sent = await visitor.post(addressOf(refund), hongKong);
    expect([sent.status, sent.main]).toEqual([
      200,
      expect.stringContaining('Thank you, we’ve received your details'),
    ]);
    expect(sent.main).toContain(refund.payoutReference);
    const { id, status, detailsEncrypted } = await stored(refund.id);
    expect(status).toBe('processing');
    expect(detailsEncrypted).not.toContain('Ada');
    expect(await decryptPayoutDetails(app.context.service.secrets, { id, detailsEncrypted })).toEqual({
      bank: '004',
      account: '123456789838',
      holder: 'Ada Wong',
    });
    for (const again of [
      await visitor.get(addressOf(refund)),
      await visitor.post(addressOf(refund), hongKong),
    ]) {
      expect([again.status, again.main]).toEqual([
        410,
        expect.stringContaining('This link is no longer valid'),
      ]);
    }
  });

  test.each<[MethodCode, number, string, Record<string, string>, Record<string, string>]>([
    ['fps', 128.5, 'HKD', { ...hongKong, bank: '4' }, hongKong],
    ['fps', 128.5, 'HKD', { ...hongKong, account: '12' }, hongKong],
    ['fps', 128.5, 'HKD', { ...hongKong, holder: '  ' }, hongKong],
    [
      'au-bank-transfer',
      50,
      'AUD',
      { bank: '62-000', account: '12345678', holder: 'A' },
      { bank: '062-000', account: '12345678', holder: 'A' },
    ],
    [
      'nz-bank-transfer',
      50,
      'NZD',
      { account: '01-0902-0068388-00', holder: 'A' },
      { account: '01-0902-0068389-00', holder: 'A' },
    ],
    [
      'in-bank-transfer',
      500,
      'INR',
      { bank: 'HDFC1001234', account: '123456789', holder: 'A' },
      { bank: 'hdfc0001234', account: '123456789', holder: 'A' },
    ],
    [
      'prompt-pay',
      500,
      'THB',
      { bank: '', account: '1234567890', holder: 'A' },
      { bank: 'Kasikornbank', account: '123-4-56789-0', holder: 'A' },
    ],
  ])('by the rules of the country: %s %i %s', async (method, amount, currency, wrong, right) => {
    const refund = await makeRefund(method, amount, currency);
    const visitor = createPageVisitor(app.app);
    const refused = await visitor.post(addressOf(refund), wrong);
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('There is a problem');
    expect(refused.text).toMatch(/aria-invalid="true"/);
    expect(refused.text).toContain(`value="${wrong.account}"`);
    expect((await stored(refund.id)).status).toBe('initiated');
    expect((await visitor.post(addressOf(refund), right)).status).toBe(200);
  });

  test('says that a refund was withdrawn, or sent', async () => {
    const withdrawn = await makeRefund();
    await cancelRefund(app.context.service, { ...owner(), id: withdrawn.id });
    const visitor = createPageVisitor(app.app);
    expect((await visitor.get(addressOf(withdrawn))).main).toContain('This refund was cancelled');
    expect((await visitor.post(addressOf(withdrawn), hongKong)).main).toContain('was cancelled');
    const sent = await makeRefund();
    await completeRefund(app.context.service, { ...owner(), id: sent.id });
    expect((await visitor.get(addressOf(sent))).main).toContain('Your refund has been sent');
  });

  test('asks anew when the payout came back, with a new link and the reason', async () => {
    const refund = await makeRefund();
    const visitor = createPageVisitor(app.app);
    await visitor.post(addressOf(refund), hongKong);
    const { refund: reopened } = await reopenRefund(app.context.service, {
      ...owner(),
      id: refund.id,
      reason: 'The account is closed <b>.',
    });
    expect((await visitor.get(addressOf(refund))).status).toBe(410);
    const shown = await visitor.get(addressOf(reopened));
    expect(shown.text).toContain(
      'The last transfer was returned (“The account is closed &lt;b&gt;.”). Please',
    );
    expect((await visitor.post(addressOf(reopened), hongKong)).status).toBe(200);
  });

  test.each(['zh', 'th'])('speaks %s', async (lang) => {
    const refund = await makeRefund();
    const shown = await createPageVisitor(app.app).get(`${addressOf(refund)}&lang=${lang}`);
    expect(shown.text).toContain(`<html lang="${lang}"`);
    expect(shown.main).not.toContain('Where should we send your refund?');
  });

  test('refuses tokens that are none, and forms from elsewhere', async () => {
    const refund = await makeRefund();
    const visitor = createPageVisitor(app.app);
    const address = addressOf(refund);
    for (const wrong of ['/pay/refund/x', address.replace('?', 'x?'), `/pay/refund/${refund.id}.`]) {
      expect((await visitor.get(wrong)).status).toBe(404);
    }
    const forged = await visitor.post(address, hongKong, { 'sec-fetch-site': 'cross-site' });
    expect(forged.status).toBe(403);
    expect((await stored(refund.id)).status).toBe('initiated');
  });
});
