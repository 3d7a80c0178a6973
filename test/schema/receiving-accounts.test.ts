import { describe, expect } from 'vitest';
import type { Service } from '../../src/domain/platform/service.ts';
import { type MethodCode, methodCodes } from '../../src/method/catalog.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import type { ApiAuth, GraphqlApp, Json } from '../setup/graphql.ts';
import { readContent } from '../setup/messages.ts';
import {
  createAccountByApi,
  type RequestFunction,
  seedReceivingAccount,
  updateAccountByApi,
} from '../setup/receiving-accounts.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { payCharge } from '../setup/transfers.ts';

const create = (app: GraphqlApp, input: object, as?: ApiAuth) => createAccountByApi(app.ask, input, as);

const update = (app: GraphqlApp, input: object, as?: ApiAuth) => updateAccountByApi(app.ask, input, as);

const test = graphqlTest.extend('id', { scope: 'file' }, async ({ app }) => {
  const details = { fps: { email: 'teas@example.com' } };
  return (await createAccountByApi(app.ask, { details })).receivingAccount.id as string;
});

describe('updateReceivingAccount', () => {
  test('changes texts, limits, window, weight and time zone, and null removes a limit', async ({
    app,
    id,
  }) => {
    const changes = {
      accountName: 'Harbour Teas HK',
      bank: 'HSBC',
      minAmount: '10.00',
      maxAmount: '5000.00',
      paymentWindowMinutes: 45,
      weight: 7,
      timeZone: 'Asia/Macau',
    };
    const { receivingAccount } = await update(app, { id, ...changes });
    expect(receivingAccount).toMatchObject(changes);
    const reset = await update(app, { id, maxAmount: null, paymentWindowMinutes: null });
    expect(reset.receivingAccount).toMatchObject({
      ...changes,
      maxAmount: null,
      paymentWindowMinutes: null,
    });
    const rejected = await update(app, { id, minAmount: '20000000.00' });
    expect(rejected.errors).toEqual([
      { path: '/minAmount', message: expect.stringContaining('must be at most') },
    ]);
  });

  test('keeps the history of a retired account, which changes only when it is reactivated', async ({
    app,
    service,
  }) => {
    const charge = await seedCharge(service, app.merchant, {
      now: new Date(),
      input: { method: 'fps' },
    });
    const account = charge.receivingAccountId;
    const { receivingAccount } = await update(app, { id: account, status: 'retired' });
    expect(receivingAccount).toMatchObject({ status: 'retired', retiredAt: expect.any(String) });
    expect(await update(app, { id: account, status: 'retired' })).toMatchObject({ receivingAccount });
    expect(await update(app, { id: account, weight: 3 })).toMatchObject({
      __typename: 'ConflictError',
      code: 'receiving_account_retired',
    });
    const paid = await payCharge(service, app.merchant, charge);
    expect(paid).toMatchObject({ status: 'matched', chargeId: charge.id });
    const text = `{ charge(id: "${charge.id}") { status receivingAccount { status sampleDestination { qrCode } } }
      transfers(first: 1) { nodes { receivingAccount { id } } } }`;
    const { data } = await app.ask(text);
    expect(data.charge).toEqual({
      status: 'completed',
      receivingAccount: { status: 'retired', sampleDestination: null },
    });
    expect(data.transfers.nodes).toEqual([{ receivingAccount: { id: account } }]);
    const reactivated = await update(app, { id: account, status: 'active', weight: 3 });
    expect(reactivated.receivingAccount).toMatchObject({ status: 'active', retiredAt: null, weight: 3 });
  });

  test('does not find an account of another merchant or mode', async ({ app, id }) => {
    for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
      expect(await update(app, { id, weight: 2 }, as)).toMatchObject({ code: 'receiving_account_not_found' });
    }
  });
});

describe('Changes of receiving accounts', () => {
  test('are allowed to owners in live mode, and to developers in the sandbox', async ({ app }) => {
    const details = (n: number) => ({ details: { fps: { fpsId: `22000${n}0` } } });
    const [owner, developer, support] = [
      await signInAs('owner', app, app.merchant),
      await signInAs('developer', app, app.merchant),
      await signInAs('support', app, app.merchant),
    ];
    expect((await createAccountByApi(owner.ask as RequestFunction, details(1))).__typename).toBe(
      'CreateReceivingAccountSuccess',
    );
    for (const { ask } of [developer, support]) {
      expect((await createAccountByApi(ask as RequestFunction, details(2))).code).toBe('permission_denied');
    }
    const sandbox =
      (user: typeof owner): RequestFunction =>
      (query, options) =>
        user.ask(query, { ...options, mode: 'sandbox' });
    expect((await createAccountByApi(sandbox(developer), details(3))).__typename).toBe(
      'CreateReceivingAccountSuccess',
    );
    expect((await createAccountByApi(sandbox(support), details(4))).code).toBe('permission_denied');
  });

  test('are reported to each owner by email once, for live accounts only', async ({ app, service }) => {
    const second = await signInAs('owner', app, app.merchant);
    const mails = async (account: string) =>
      service.prisma.message.findMany({
        where: { dedupeKey: { contains: account } },
        orderBy: { id: 'asc' },
      });
    const { receivingAccount } = await create(app, { details: { paynow: { mobile: '+65 8123 4567' } } });
    await update(app, { id: receivingAccount.id, maxAmount: '900.00', accountName: 'Teas Pte Ltd' });
    await update(app, { id: receivingAccount.id, maxAmount: '900.00' });
    await update(app, { id: receivingAccount.id, status: 'retired' });
    const sent = await mails(receivingAccount.id);
    const received = sent.filter(({ recipient }) => recipient === second.email);
    expect(received.map(({ subject }) => subject)).toEqual([
      'A receiving account was added: Harbour Teas',
      'A receiving account was changed: Harbour Teas',
      'A receiving account was deactivated: Harbour Teas',
    ]);
    expect(new Set(sent.map(({ recipient }) => recipient))).toContain(app.merchant.email);
    expect(sent.every(({ audience, mode }) => audience === 'staff' && mode === 'live')).toBe(true);
    const { text } = await readContent(service, received[1]!);
    expect(text).toContain('Maximum amount: none → 900.00 SGD');
    expect(text).toContain('Holder: Harbour Teas Ltd → Teas Pte Ltd');
    expect(text).toContain(`/dashboard/receiving-accounts/${receivingAccount.id}`);
    const sandbox = await create(
      app,
      { details: { paynow: { mobile: '+65 8123 4567' } } },
      app.merchant.keys.sandbox,
    );
    expect(await mails(sandbox.receivingAccount.id)).toEqual([]);
  });

  test('are recorded in the audit trail with old and new values, unless nothing changed', async ({
    app,
    service,
  }) => {
    const { receivingAccount } = await create(app, { details: { paynow: { mobile: '+65 9123 4567' } } });
    await update(app, { id: receivingAccount.id, weight: 4, status: 'retired' });
    await update(app, { id: receivingAccount.id, status: 'retired' });
    const rows = await service.prisma.auditEntry.findMany({
      where: { objectId: receivingAccount.id },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ action, detail, mode }) => [action, detail, mode])).toEqual([
      [
        'receiving_account.created',
        { method: 'paynow', account: '+6591234567', bank: 'PayNow', holder: 'Harbour Teas Ltd' },
        'live',
      ],
      ['receiving_account.updated', { weight: { from: '1', to: '4' }, status: 'retired' }, 'live'],
    ]);
  });
});

describe('Reading receiving accounts', () => {
  test('lists the accounts of the mode, newest first', async ({ app, service }) => {
    const merchant = await seedMerchant(service, {}, new Date());
    const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const from = await service.prisma.receivingAccount.findFirstOrThrow({
      where: { ...owner, method: 'fps' },
    });
    const limits = { minAmount: 100n, maxAmount: 5000n };
    const changes = { ...limits, details: from.details, holder: 'Second' };
    const second = await seedReceivingAccount(service, merchant, changes, new Date());
    const { data } = await app.ask(
      `{ receivingAccounts(first: 1) { totalCount nodes { id accountName minAmount maxAmount paymentWindowMinutes weight timeZone } }
        receivingAccount(id: "${from.id}") { id minAmount } }`,
      { as: merchant.keys.live },
    );
    expect(data.receivingAccounts).toEqual({
      totalCount: 14,
      nodes: [
        {
          id: second.id,
          accountName: 'Second',
          minAmount: '1.00',
          maxAmount: '50.00',
          paymentWindowMinutes: null,
          weight: 1,
          timeZone: 'Asia/Hong_Kong',
        },
      ],
    });
    expect(data.receivingAccount).toEqual({ id: from.id, minAmount: null });
  });

  test('filters the list by method, status and currency', async ({ app }) => {
    const { receivingAccount } = await create(app, { details: { paynow: { mobile: '+65 8765 4321' } } });
    await update(app, { id: receivingAccount.id, status: 'retired' });
    const list = async (filter: string) => {
      const { data } = await app.ask(
        `{ receivingAccounts(first: 50, filter: { ${filter} }) { totalCount nodes { method status currency } } }`,
      );
      return data.receivingAccounts;
    };
    const retired = await list('method: paynow, statuses: retired');
    expect(retired.totalCount).toBeGreaterThan(0);
    expect(retired.totalCount).toBe(retired.nodes.length);
    expect(new Set(retired.nodes.map((account: Json) => `${account.method} ${account.status}`))).toEqual(
      new Set(['paynow retired']),
    );
    const hkd = await list('currency: "HKD"');
    expect(new Set(hkd.nodes.map(({ method }: Json) => method))).toEqual(
      new Set(['fps', 'hk_bank_transfer']),
    );
  });

  test('previews what a customer would see, with a sample payment reference', async ({ app }) => {
    const { receivingAccount } = await create(app, {
      details: { fps: { fpsId: '4455667' } },
      minAmount: '20.00',
      maxAmount: '500.00',
    });
    const preview = async (args = '') =>
      app.ask(
        `{ receivingAccount(id: "${receivingAccount.id}") { sampleDestination${args} { qrCode account paymentReference accountName bank } } }`,
      );
    const { data } = await preview('(amount: "128.50")');
    expect(data.receivingAccount.sampleDestination).toMatchObject({
      qrCode: expect.stringMatching(/^000201010212.*hk\.com\.hkicl02074455667.*5406128\.50.*0510SAMPLE1234/),
      account: '4455667',
      paymentReference: 'SAMPLE1234',
      accountName: 'Harbour Teas Ltd',
    });
    expect((await preview()).data.receivingAccount.sampleDestination.qrCode).toContain('540520.00');
    expect((await preview('(amount: "500.01")')).errors[0].extensions.code).toBe('amount_out_of_range');
    expect((await preview('(amount: "0")')).errors[0].extensions.code).toBe('invalid_request');
  });

  test('returns a form with the fields of every method', async ({ app, service }) => {
    const { data } = await app.ask(
      '{ receivingAccountForms { method inputField description currency mayLackReference fields { name description example isRequired isQrCode } } }',
    );
    const forms = data.receivingAccountForms as Json[];
    expect(new Set(forms.map(({ method }) => method.replaceAll('_', '-')))).toEqual(new Set(methodCodes));
    const fps = forms.filter(({ inputField: member }) => member === 'fps');
    expect(fps.map(({ fields: members }) => members[0].name)).toEqual(['fpsId', 'mobile', 'email']);
    const mayLack = forms.filter(({ mayLackReference }) => mayLackReference);
    expect([...new Set(mayLack.map(({ inputField: member }) => member))].sort()).toEqual([
      'duitNow',
      'gojekId',
      'instapay',
      'promptPay',
      'toss',
    ]);
    // The scheme accepts every example.
    const bare = await seedMerchant(service, { hasDemoAccounts: false }, new Date());
    for (const { inputField: member, fields: members } of forms) {
      const details = Object.fromEntries(members.map(({ name, example }: Json) => [name, example]));
      const created = await create(app, { details: { [member]: details } }, bare.keys.live);
      expect([member, created.errors]).toEqual([member, undefined]);
    }
  });

  test('returns the amount that was added to a charge', async ({ app, service }) => {
    const bare = await seedMerchant(service, { hasDemoAccounts: false }, new Date());
    const details = { promptPay: { mobile: '081 234 5678' } };
    await create(app, { details, maxAmountOffset: 3 }, bare.keys.live);
    const charges = [];
    for (const email of ['a@example.com', 'b@example.com']) {
      const input = { email, merchantAmount: 100, merchantCurrency: 'THB', method: 'prompt-pay' };
      const { id } = await seedCharge(service, bare, { input, now: new Date() });
      const { data } = await app.ask(
        `{ charge(id: "${id}") { customerAmount amountOffset merchantAmount } }`,
        { as: bare.keys.live },
      );
      charges.push(data.charge);
    }
    expect(charges).toEqual([
      { customerAmount: '100.00', amountOffset: '0.00', merchantAmount: '100.00' },
      { customerAmount: '100.01', amountOffset: '0.01', merchantAmount: '100.00' },
    ]);
  });
});

const nzAccount = { account: '01-0902-0068389-00', bank: 'ANZ' };

const demoCode = async (app: GraphqlApp, service: Service, method: MethodCode) => {
  const where = { merchantId: app.merchant.merchant.id, mode: 'live', method } as const;
  const { details } = await service.prisma.receivingAccount.findFirstOrThrow({ where });
  return details as Record<string, string>;
};

/** Valid details of every method by their input field, and the account that customers see. */
const valid: [member: string, details: object, account: string, currency: string][] = [
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
  test.for(valid)(
    'creates an account of %s with the details of its scheme',
    async ([member, details, account, currency], { app }) => {
      const created = await create(app, { details: { [member]: details } });
      expect(created).toMatchObject({ __typename: 'CreateReceivingAccountSuccess' });
      expect(created.receivingAccount).toMatchObject({
        account,
        currency,
        status: 'active',
        weight: 1,
        accountName: 'Harbour Teas Ltd',
      });
    },
  );

  test.for([
    ['duitNow', 'duit-now'],
    ['gojekId', 'gojek-id'],
  ] as const)(
    'creates an account of %s with the QR code of the bank',
    async ([member, method], { app, service }) => {
      const { staticQrCode } = await demoCode(app, service, method);
      const spaced = { staticQrCode: `  ${staticQrCode}\n`, bank: 'My Bank' };
      // The fictional account of the merchant has the same code, so that only another merchant can add it.
      expect(await create(app, { details: { [member]: spaced } })).toMatchObject({
        code: 'receiving_account_invalid',
        errors: [
          {
            path: `/details/${member}`,
            message: expect.stringMatching(/^is already used by the account acc_/),
          },
        ],
      });
      const bare = await seedMerchant(service, { hasDemoAccounts: false }, new Date());
      const created = await create(app, { details: { [member]: spaced } }, bare.keys.live);
      expect(created.receivingAccount).toMatchObject({
        bank: 'My Bank',
        details: [{ name: 'staticQrCode', value: staticQrCode }, { name: 'bank' }],
      });
    },
  );

  const invalid: [member: string, details: object, path: string, message: string][] = [
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
    [
      'paynow',
      { uen: '200002150A' },
      '/uen',
      'has an invalid check letter, the last character of a UEN such as 209900000Z',
    ],
    ['viettelPay', { bin: '9704', account: '1', bank: 'VCB' }, '/bin', 'must be 6 digits'],
    ['duitNow', { staticQrCode: 'hello' }, '/staticQrCode', ''],
    [
      'instapay',
      { bic: 'HSBCHKHH', account: '12345', bank: 'HSBC' },
      '/bic',
      'must be a BIC of 8 or 11 characters with the country code PH',
    ],
    ['promptPay', { taxId: '0105500000004' }, '/taxId', 'has an invalid check digit'],
    ['inBankTransfer', { vpa: 'shop' }, '/vpa', 'must be a UPI ID, such as shop@examplebank'],
    ['gojekId', {}, '/staticQrCode', 'is required'],
    ['idBankTransfer', { bankCode: '014', account: '12', bank: 'BCA' }, '/account', 'must be 8 to 16 digits'],
    ['auBankTransfer', { abn: '99 000 000 001' }, '/abn', 'has invalid check digits'],
    ['nzBankTransfer', { ...nzAccount, account: '01-0902-0068389-01-1' }, '/account', ''],
    ['toss', { bankCode: '092', account: '12', bank: 'Toss Bank' }, '/account', 'must be 10 to 16 digits'],
  ];

  test.for(invalid)('rejects %s with %j and its path', async ([member, details, path, message], { app }) => {
    const rejected = await create(app, { details: { [member]: details } });
    expect(rejected).toMatchObject({ __typename: 'UnprocessableError', code: 'receiving_account_invalid' });
    expect(rejected.errors).toEqual([
      { path: `/details/${member}${path}`, message: expect.stringContaining(message) },
    ]);
  });

  test('reports all errors together', async ({ app }) => {
    const rejected = await create(app, {
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
    expect(rejected.errors.map(({ path }: Json) => path)).toEqual([
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
    expect(rejected.message).toBe('/details/toss/bankCode must be 3 digits (and 8 more)');
  });

  test.for([
    [{ minAmount: '200', maxAmount: '100' }, '/minAmount'],
    [{ minAmount: '50000.01' }, '/minAmount'],
    [{ maxAmountOffset: 5 }, undefined],
  ] as const)('rejects contradictory terms: %j', async ([terms, path], { app }) => {
    const rejected = await create(app, {
      details: { promptPay: { eWalletId: '140000812345678' } },
      ...terms,
    });
    expect(rejected.errors?.map((error: Json) => error.path)).toEqual(path && [path]);
  });

  test('accepts the details of one method only', async ({ app }) => {
    const both = { fps: { fpsId: '7654321' }, toss: { bankCode: '092', account: '1', bank: 'x' } };
    await expect(create(app, { details: both })).rejects.toThrow(/exactly one/i);
  });

  test('allows unique amounts only for payments without a reference', async ({ app }) => {
    const rejected = await create(app, { details: { fps: { fpsId: '7654321' } }, maxAmountOffset: 9 });
    expect(rejected.errors).toEqual([
      {
        path: '/maxAmountOffset',
        message: 'is allowed only for accounts whose payments carry no reference',
      },
    ]);
    const created = await create(app, {
      details: { promptPay: { taxId: '0105500000003' } },
      maxAmountOffset: 9,
    });
    expect(created.receivingAccount).toMatchObject({ maxAmountOffset: 9, canCarryReference: false });
  });

  test('accepts rules for bank fees and bank references, and removes a fee with null', async ({ app }) => {
    const details = { toss: { bankCode: '092', account: '100099887766', bank: 'Toss Bank' } };
    for (const [terms, path] of [
      [{ maxBankFeeRate: '0.0501' }, '/maxBankFeeRate'],
      [{ maxBankFeeRate: '0' }, '/maxBankFeeRate'],
      [{ maxBankFee: '-1' }, '/maxBankFee'],
    ] as const) {
      const rejected = await create(app, { details, ...terms });
      expect(rejected.errors.map((error: Json) => error.path)).toEqual([path]);
    }
    const fees = { maxBankFee: '500', maxBankFeeRate: '0.015' };
    const created = await create(app, { details, ...fees, reusesBankReferences: true });
    expect(created.receivingAccount).toMatchObject({ ...fees, reusesBankReferences: true });
    const updated = await update(app, { id: created.receivingAccount.id, maxBankFee: null });
    expect(updated.receivingAccount).toMatchObject({ maxBankFee: null, maxBankFeeRate: '0.015' });
  });

  test('rejects an account that exists already, retired or not', async ({ app }) => {
    const details = { idBankTransfer: { bankCode: '014', account: '9988776655', bank: 'BCA' } };
    const { receivingAccount } = await create(app, { details });
    const repeated = {
      idBankTransfer: { ...details.idBankTransfer, account: '99-8877-6655', bank: 'Bank BCA' },
    };
    const responses = await Promise.all([
      create(app, { details: repeated }),
      create(app, { details: repeated }),
    ]);
    await update(app, { id: receivingAccount.id, status: 'retired' });
    for (const { errors } of [...responses, await create(app, { details: repeated })]) {
      expect(errors[0].message).toContain(`is already used by the account ${receivingAccount.id}`);
    }
    const other = await create(app, { details }, app.merchant.keys.sandbox);
    expect(other.receivingAccount.id).not.toBe(receivingAccount.id);
  });

  test('rejects an existing account in another spelling', async ({ app }) => {
    const account = { bic: 'GXCHPHM2XXX', account: '09998887776', bank: 'GCash' };
    const { receivingAccount } = await create(app, { details: { instapay: account } });
    const repeated = await create(app, { details: { instapay: { ...account, mobile: '+63 999 888 7776' } } });
    expect(repeated.errors[0].message).toContain(`is already used by the account ${receivingAccount.id}`);
  });

  test('creates one account if five requests are concurrent', async ({ app }) => {
    const details = { toss: { bankCode: '092', account: '555566667777', bank: 'Toss Bank' } };
    const created = await Promise.all(Array.from({ length: 5 }, () => create(app, { details })));
    expect(created.filter(({ receivingAccount }) => receivingAccount)).toHaveLength(1);
  });
});
