import type { Page } from 'playwright-core';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { insertReceivingAccount } from '../src/domain/accounts/receiving-account/insert-receiving-account.ts';
import { createSession } from '../src/domain/payments/session/create-session.ts';
import { transact } from '../src/event/unit-of-work.ts';
import type { Language } from '../src/language/languages.ts';
import { type MethodCode, paymentMethods } from '../src/method/catalog.ts';
import { getScheme } from '../src/method/schemes.ts';
import type { SceneContext } from './dashboard-scenes.ts';

type MethodScene = { language: Language; amount: number; holder: string; details: unknown };

/** The methods with screenshots, each with an account and the language of its country. */
const methodScenes: Partial<Record<MethodCode, MethodScene>> = {
  fps: { language: 'zh-Hant', amount: 388, holder: 'Harbour Teas Ltd', details: { fpsId: '1234567' } },
  'hk-bank-transfer': {
    language: 'zh-Hant',
    amount: 388,
    holder: 'Harbour Teas Ltd',
    details: { bankCode: '004', account: '123456789001', bank: 'HSBC' },
  },
  paynow: {
    language: 'en',
    amount: 68,
    holder: 'Harbour Teas Pte Ltd',
    details: getScheme('paynow').demoDetails,
  },
  'viettel-pay': {
    language: 'vi',
    amount: 1_250_000,
    holder: 'NGUYEN THI HOA',
    details: { bin: '970436', account: '0123456789', bank: 'Vietcombank' },
  },
  'duit-now': {
    language: 'ms',
    amount: 220,
    holder: 'Harbour Teas Sdn Bhd',
    details: getScheme('duit-now').demoDetails,
  },
  instapay: {
    language: 'fil',
    amount: 2_800,
    holder: 'Harbour Teas Inc',
    details: { bic: 'BNORPHMMXXX', account: '001234567890', bank: 'BDO' },
  },
  'prompt-pay': {
    language: 'th',
    amount: 1_790,
    holder: 'บริษัท ฮาร์เบอร์ ที จำกัด',
    details: { billerId: '010550000000301' },
  },
  'in-bank-transfer': {
    language: 'hi',
    amount: 4_200,
    holder: 'Harbour Teas',
    details: { vpa: 'harbour@okhdfcbank' },
  },
  'gojek-id': {
    language: 'id',
    amount: 790_000,
    holder: 'Harbour Teas',
    details: getScheme('gojek-id').demoDetails,
  },
  'id-bank-transfer': {
    language: 'id',
    amount: 790_000,
    holder: 'PT Harbour Teas',
    details: { bankCode: '014', account: '0123456789', bank: 'BCA' },
  },
  'au-bank-transfer': {
    language: 'en',
    amount: 79,
    holder: 'Harbour Teas Pty Ltd',
    details: { bsb: '062000', account: '12345678', bank: 'Commonwealth Bank' },
  },
  'nz-bank-transfer': {
    language: 'en',
    amount: 86,
    holder: 'Harbour Teas Ltd',
    details: { account: '01-0902-0068389-00', bank: 'ANZ' },
  },
  toss: {
    language: 'ko',
    amount: 68_000,
    holder: '하버티',
    details: { bankCode: '092', account: '100012345678', bank: 'Toss Bank' },
  },
};

/** The scenes of each method's payment instructions, in the language of its country and in English. */
export const methodScreenshots = Object.keys(methodScenes).flatMap((code) => {
  const method = code as MethodCode;
  const { language } = methodScenes[method]!;
  return [...new Set<Language>([language, 'en'])].map((lang) => ({
    name: `method-${method}-${lang}`,
    scene: (page: Page, context: SceneContext) => showMethod(page, context, method, lang),
  }));
});

async function showMethod(
  page: Page,
  { origin, service }: SceneContext,
  method: MethodCode,
  language: Language,
): Promise<void> {
  const { amount, holder, details } = methodScenes[method]!;
  const now = new Date();
  const { merchant } = await createMerchant(service, { input: { name: 'Harbour Teas' }, now });
  await transact(service, ({ tx }) =>
    insertReceivingAccount(tx, {
      merchantId: merchant.id,
      mode: 'live',
      input: { method, holder, details: getScheme(method).parseDetails(details) },
      now,
    }),
  );
  const session = await createSession(service, {
    ...{ merchant, mode: 'live', actor: 'key:script', now },
    input: { amount, currency: paymentMethods[method].currency, redirectUrl: 'https://shop.example/thanks' },
  });
  await page.goto(`${origin}/checkout?sessionId=${session.id}&lang=${language}`);
  await page.locator(`[value=${method}]`).check();
  await page.locator('[type=email]').fill('mei@example.com');
  await page.locator('form:has([type=email]) button').click();
  await page.getByRole('timer').waitFor();
}
