import type { Page } from 'playwright-core';
import type { Charge } from '../prisma/client/client.ts';
import type { NewMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { recordTransfers } from '../src/domain/money-in/transfer/record/record-transfers.ts';
import { cancelCharge } from '../src/domain/payments/charge/cancel-charge.ts';
import { createCharge } from '../src/domain/payments/charge/create-charge.ts';
import { createRefund } from '../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../src/domain/payments/refund/submit-refund-details.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { toDecimal } from '../src/kit/money.ts';
import { signInByForm } from '../test/setup/browser-sign-in.ts';

/** The service in the screenshots, and its merchant. */
export type SceneContext = { origin: string; service: Service; merchant: NewMerchant };

/** The charges that the screenshots show: email, method, amount, currency and outcome. */
const todaysCharges = [
  ['lau@example.com', 'fps', 2480, 'HKD', 'open'],
  ['mei.lin@example.com', 'paynow', 45.2, 'SGD', 'paid'],
  ['somchai@example.com', 'prompt-pay', 1250, 'THB', 'paid'],
  ['budi@example.co.id', 'id-bank-transfer', 86.4, 'USD', 'open'],
  ['aisyah@example.com', 'duit-now', 310, 'MYR', 'cancelled'],
  ['jack@example.com', 'au-bank-transfer', 99, 'AUD', 'open'],
  ['jiwoo@example.com', 'toss', 32000, 'KRW', 'paid'],
  ['ada@example.com', 'fps', 20, 'USD', 'partial'],
] as const;

/** Opens the home page on a day with charges in several states. */
export async function showHome(page: Page, context: SceneContext): Promise<void> {
  await createCharges(context);
  await page.goto(`${context.origin}/dashboard`);
  await signInByForm(page, context.merchant);
  await page.getByRole('link', { name: 'ada@example.com' }).first().waitFor();
}

/** Opens a charge with a partial payment. */
export async function showCharge(page: Page, context: SceneContext): Promise<void> {
  await showHome(page, context);
  await page.getByRole('link', { name: 'ada@example.com' }).first().click();
  await page.getByText('Part payment received').waitFor();
}

/** Opens a refund with payout details. */
export async function showRefund(page: Page, context: SceneContext): Promise<void> {
  await showHome(page, context);
  await createSampleRefund(context);
  await page.getByRole('link', { name: 'Refunds' }).click();
  await page.getByRole('link', { name: 'mei.lin@example.com' }).first().click();
  await page.getByRole('button', { name: 'Mark as paid' }).waitFor();
}

export async function showCharges(page: Page, context: SceneContext): Promise<void> {
  await showHome(page, context);
  await page.getByRole('link', { name: 'Charges', exact: true }).click();
  await page.getByRole('row', { name: 'jiwoo@example.com' }).waitFor();
}

/** Opens the form for a new session and fills it in. */
export async function showSessionForm(page: Page, context: SceneContext): Promise<void> {
  await showHome(page, context);
  await page.goto(`${context.origin}/dashboard/sessions`);
  await page.getByRole('button', { name: 'New session' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount', { exact: true }).fill('86.40');
  await dialog.getByLabel('Name of item 1').fill('Porcelain gaiwan');
  await dialog.getByLabel('Quantity of item 1').fill('1');
}

async function createSampleRefund({ service, merchant }: SceneContext): Promise<void> {
  if ((await service.prisma.refund.count({ where: { status: 'processing' } })) > 0) return;
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { email: 'mei.lin@example.com' } });
  const scope = { merchantId: merchant.merchant.id, mode: 'live', now: new Date() } as const;
  const input = { chargeId: charge.id, customerAmount: 20 };
  const { refund } = await createRefund(service, { ...scope, actor: 'key:script', input });
  const details = { bank: 'DBS Bank', account: '072-038491-2', holder: 'Lin Mei' };
  await submitRefundDetails(service, { ...scope, actor: 'customer', id: refund.id, details });
}

/** Creates paid charges on the 29 days before today, at a different frequency for each method. */
async function createHistory({ service, merchant }: SceneContext): Promise<void> {
  const methods = [
    ['fps', 'HKD', 240, 1],
    ['paynow', 'SGD', 38, 2],
    ['prompt-pay', 'THB', 900, 3],
  ] as const;
  for (let day = 29; day > 0; day--) {
    for (const [method, merchantCurrency, price, intervalDays] of methods) {
      if (day % intervalDays !== 0) continue;
      const now = new Date(Date.now() - day * 86_400_000);
      const merchantAmount = price * (1 + ((day * 7) % 11));
      const { charge } = await createCharge(service, {
        merchant: merchant.merchant,
        mode: 'live',
        actor: 'key:script',
        input: { email: `customer${day}@example.com`, method, merchantAmount, merchantCurrency },
        now,
      });
      await payCharge(service, merchant, charge, { minor: charge.customerAmount, now });
    }
  }
}

/** Creates the charges of today and of the days before, unless an earlier scene has created them. */
async function createCharges(context: SceneContext): Promise<void> {
  const { service, merchant } = context;
  if ((await service.prisma.charge.count({ where: { email: 'jiwoo@example.com' } })) > 0) return;
  await createHistory(context);
  for (const [i, [email, method, merchantAmount, merchantCurrency, outcome]] of todaysCharges.entries()) {
    const now = new Date(Date.now() - (todaysCharges.length - i) * 3 * 60_000);
    const { charge } = await createCharge(service, {
      merchant: merchant.merchant,
      mode: 'live',
      actor: 'key:script',
      input: { email, method, merchantAmount, merchantCurrency, orders: [{ name: 'Tea', quantity: 1 }] },
      now,
    });
    const scope = { merchantId: merchant.merchant.id, mode: 'live', id: charge.id } as const;
    if (outcome === 'cancelled')
      await cancelCharge(service, { ...scope, by: 'merchant', actor: 'key:script', now });
    if (outcome === 'paid') await payCharge(service, merchant, charge, { minor: charge.customerAmount, now });
    if (outcome === 'partial') await payCharge(service, merchant, charge, { minor: 10_000n, now });
  }
}

/** Records a transfer of `minor` minor units for a charge, as the bank would report it. Throws if it is not matched. */
export async function payCharge(
  service: Service,
  merchant: NewMerchant,
  charge: Charge,
  { minor, now }: { minor: bigint; now: Date },
): Promise<void> {
  const currency = charge.customerCurrency;
  const [result] = await recordTransfers(service, {
    merchant: merchant.merchant,
    mode: 'live',
    actor: 'key:script',
    items: [
      {
        id: `bank-${charge.paymentReference}`,
        receivingAccountId: charge.receivingAccountId,
        amount: toDecimal({ minor, currency }),
        currency,
        reference: charge.paymentReference,
        payerName: 'CHAN TAI MAN',
        paidAt: now.toISOString(),
      },
    ],
    now,
  });
  const { status } = result!;
  if (status !== 'matched' && status !== 'partial') throw new Error(`the payment is ${status}`);
}
