import { beforeAll, describe, expect, test } from 'vitest';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { createAccountByApi, type RequestFunction, updateAccountByApi } from '../setup/receiving-accounts.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Receiving accounts: what each scheme needs. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const create = (input: object, ask: RequestFunction = app.ask, as?: ApiAuth) =>
  createAccountByApi(ask, input, as);
const update = (input: object, as?: ApiAuth) => updateAccountByApi(app.ask, input, as);

const nzAccount = { account: '01-0902-0068389-00', bank: 'ANZ' };
const demoCode = async (method: MethodCode) => {
  const where = { merchantId: app.merchant.merchant.id, mode: 'live', method } as const;
  const { details } = await app.context.service.prisma.receivingAccount.findFirstOrThrow({ where });
  return details as Record<string, string>;
};

/** Right details of every method, by their member, and what customers see as the account. */
const right: [member: string, details: object, account: string, currency: string][] = [
  ['fps', { mobile: '5123 4567', bankCode: '004' }, '+85251234567', 'HKD'],
  ['hkBankTransfer', { bankCode: '004', account: '123-456789-001', bank: 'HSBC' }, '004-123456789001', 'HKD'],
  ['paynow', { uen: '200002150h' }, '200002150H', 'SGD'],
  ['viettelPay', { bin: '970436', account: '0123456789', bank: 'Vietcombank' }, '970436-0123456789', 'VND'],
  [
    'instapay',
    { bic: 'GXCHPHM2', account: '001234567890', bank: 'GCash' },
    'GXCHPHM2XXX-001234567890',
    'PHP',
  ],
  ['promptPay', { mobile: '081 234 5678' }, '+66812345678', 'THB'],
  ['inBankTransfer', { vpa: 'shop@examplebank' }, 'shop@examplebank', 'INR'],
  ['idBankTransfer', { bankCode: '014', account: '0123456789', bank: 'BCA' }, '014-0123456789', 'IDR'],
  ['auBankTransfer', { bsb: '062-000', account: '12345678', bank: 'CBA' }, '062-000 12345678', 'AUD'],
  ['nzBankTransfer', nzAccount, '01-0902-0068389-00', 'NZD'],
  ['toss', { bankCode: '092', account: '1000-1234-5678', bank: 'Toss Bank' }, '092-100012345678', 'KRW'],
];

describe('createReceivingAccount', () => {
  test.each(right)('%s takes what its scheme needs', async (member, details, account, currency) => {
    const made = await create({ details: { [member]: details } });
    expect(made).toMatchObject({ __typename: 'CreateReceivingAccountSuccess' });
    expect(made.receivingAccount).toMatchObject({
      account,
      currency,
      status: 'active',
      weight: 1,
      accountName: 'Harbour Teas Ltd',
    });
  });

  test.each([
    ['duitNow', 'duit-now'],
    ['gojekId', 'gojek-id'],
  ] as const)('%s takes the code that the bank issued', async (member, method) => {
    const { staticQrCode } = await demoCode(method);
    const spaced = { staticQrCode: `  ${staticQrCode}\n`, bank: 'My Bank' };
    // The same code stands there for the fictional account, so the sandbox of a merchant without one is asked.
    expect(await create({ details: { [member]: spaced } })).toMatchObject({
      code: 'receiving_account_invalid',
      errors: [
        {
          path: `/details/${member}`,
          message: expect.stringMatching(/^is already used by the account acc_/),
        },
      ],
    });
    const bare = await seedMerchant(app.context.service, { demoAccounts: false }, new Date());
    const made = await create({ details: { [member]: spaced } }, app.ask, bare.keys.live);
    expect(made.receivingAccount).toMatchObject({
      bank: 'My Bank',
      details: [{ name: 'staticQrCode', value: staticQrCode }, { name: 'bank' }],
    });
  });

  const wrong: [member: string, details: object, path: string, message: string][] = [
    ['fps', { fpsId: '12345678' }, '/fpsId', 'must be 7 or 9 digits'],
    [
      'fps',
      { fpsId: '1234567', email: 'a@example.com' },
      '',
      'must be an object with exactly one of: fpsId, mobile, email',
    ],
    [
      'hkBankTransfer',
      { bankCode: '04', account: '123456789', bank: 'HSBC' },
      '/bankCode',
      'must be 3 digits',
    ],
    ['paynow', { uen: '200002150A' }, '/uen', 'has an invalid check letter'],
    ['viettelPay', { bin: '9704', account: '1', bank: 'VCB' }, '/bin', 'must be 6 digits'],
    ['duitNow', { staticQrCode: 'hello' }, '/staticQrCode', ''],
    [
      'instapay',
      { bic: 'HSBCHKHH', account: '12345', bank: 'HSBC' },
      '/bic',
      'must be a BIC of 8 or 11 characters with country PH',
    ],
    ['promptPay', { taxId: '0105500000004' }, '/taxId', 'has an invalid check digit'],
    ['inBankTransfer', { vpa: 'shop' }, '/vpa', 'must be a UPI id, such as shop@examplebank'],
    ['gojekId', {}, '/staticQrCode', 'is required'],
    ['idBankTransfer', { bankCode: '014', account: '12', bank: 'BCA' }, '/account', 'must be 8 to 16 digits'],
    ['auBankTransfer', { abn: '99 000 000 001' }, '/abn', 'has invalid check digits'],
    ['nzBankTransfer', { ...nzAccount, account: '01-0902-0068389-01-1' }, '/account', ''],
    ['toss', { bankCode: '092', account: '12', bank: 'Toss Bank' }, '/account', 'must be 10 to 16 digits'],
  ];

  test.each(wrong)('%s %j is refused, naming the place', async (member, details, path, message) => {
    const refused = await create({ details: { [member]: details } });
    expect(refused).toMatchObject({ __typename: 'UnprocessableError', code: 'receiving_account_invalid' });
    expect(refused.errors).toEqual([
      { path: `/details/${member}${path}`, message: expect.stringContaining(message) },
    ]);
  });

  test('names every fault at once', async () => {
    const refused = await create({
      details: { toss: { bankCode: '9', account: '1000123456789', bank: 'Toss Bank' } },
      accountName: ' ',
      currency: 'USD',
      minAmount: '10.50',
      maxAmount: '-1',
      paymentWindowMinutes: 4,
      weight: 101,
      timeZone: 'Seoul',
      maxAmountOffset: 1000,
    });
    expect(refused.errors.map(({ path }: Json) => path)).toEqual([
      '/details/toss/bankCode',
      '/accountName',
      '/minAmount',
      '/maxAmount',
      '/paymentWindowMinutes',
      '/weight',
      '/timeZone',
      '/maxAmountOffset',
      '/currency',
    ]);
    expect(refused.message).toBe('/details/toss/bankCode must be 3 digits (and 8 more)');
  });

  test.each([
    [{ minAmount: '200', maxAmount: '100' }, '/minAmount'],
    [{ minAmount: '50000.01' }, '/minAmount'],
    [{ maxAmountOffset: 5 }, undefined],
  ])('terms that do not go together are refused: %j', async (terms, path) => {
    const refused = await create({ details: { promptPay: { eWalletId: '140000812345678' } }, ...terms });
    expect(refused.errors?.map((fault: Json) => fault.path)).toEqual(path && [path]);
  });

  test('only one method’s details can be given', async () => {
    const both = { fps: { fpsId: '7654321' }, toss: { bankCode: '092', account: '1', bank: 'x' } };
    await expect(create({ details: both })).rejects.toThrow(/exactly one/i);
  });

  test('unique amounts are for payments that carry no reference', async () => {
    const refused = await create({ details: { fps: { fpsId: '7654321' } }, maxAmountOffset: 9 });
    expect(refused.errors).toEqual([
      {
        path: '/maxAmountOffset',
        message: 'is allowed only for accounts whose payments carry no reference',
      },
    ]);
    const made = await create({ details: { promptPay: { taxId: '0105500000003' } }, maxAmountOffset: 9 });
    expect(made.receivingAccount).toMatchObject({ maxAmountOffset: 9, canCarryReference: false });
  });

  test('one bank account is added once, and a retired one is taken up again instead', async () => {
    const details = { idBankTransfer: { bankCode: '014', account: '9988776655', bank: 'BCA' } };
    const { receivingAccount } = await create({ details });
    const again = {
      idBankTransfer: { ...details.idBankTransfer, account: '99-8877-6655', bank: 'Bank BCA' },
    };
    const answers = await Promise.all([create({ details: again }), create({ details: again })]);
    await update({ id: receivingAccount.id, status: 'retired' });
    for (const { errors } of [...answers, await create({ details: again })]) {
      expect(errors[0].message).toContain(`is already used by the account ${receivingAccount.id}`);
    }
    const other = await create({ details }, app.ask, app.merchant.keys.sandbox);
    expect(other.receivingAccount.id).not.toBe(receivingAccount.id);
  });

  test('nor is it added once more in another spelling', async () => {
    const account = { bic: 'GXCHPHM2XXX', account: '09998887776', bank: 'GCash' };
    const { receivingAccount } = await create({ details: { instapay: account } });
    const again = await create({ details: { instapay: { ...account, mobile: '+63 999 888 7776' } } });
    expect(again.errors[0].message).toContain(`is already used by the account ${receivingAccount.id}`);
  });

  test('two at once make one', async () => {
    const details = { toss: { bankCode: '092', account: '555566667777', bank: 'Toss Bank' } };
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ details })));
    expect(made.filter(({ receivingAccount }) => receivingAccount)).toHaveLength(1);
  });
});
