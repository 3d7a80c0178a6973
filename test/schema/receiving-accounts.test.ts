import { beforeAll, describe, expect, test } from 'vitest';
import { unsealContent } from '../../src/message/sealed-content.ts';
import { type MethodCode, methodCodes } from '../../src/method/catalogue.ts';
import { type As, type GraphqlApp, graphqlApp, type Json, payCharge } from '../setup/graphql.ts';
import { makeCharge, makeMerchant } from '../setup/makers.ts';
import { signedInAs } from '../setup/sign-in.ts';

/** Receiving accounts: what each scheme needs, who may change them, who is told, and what stays of a retired one. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await graphqlApp();
});

const fields =
  'id method status account holder bank currency weight minAmount maxAmount windowMinutes timeZone uniqueAmountsMax carriesReference retiredAt details { name value }';
const failure = `... on Error { code message }
  ... on UnprocessableError { errors { path message } } ... on InvalidRequestError { errors { path message } }`;
const createText = `mutation ($input: CreateReceivingAccountInput!) { createReceivingAccount(input: $input) {
  __typename ... on CreateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;
const updateText = `mutation ($input: UpdateReceivingAccountInput!) { updateReceivingAccount(input: $input) {
  __typename ... on UpdateReceivingAccountSuccess { receivingAccount { ${fields} } } ${failure} } }`;

type Asker = (
  query: string,
  options?: { variables?: object; as?: As },
) => Promise<{ data: Json; errors: Json }>;

const create = async (input: object, ask: Asker = app.ask, as?: As): Promise<Json> => {
  const { data, errors } = await ask(createText, {
    variables: { input: { holder: 'Harbour Teas Ltd', ...input } },
    ...(as && { as }),
  });
  return data?.createReceivingAccount ?? errors;
};
const update = async (input: object, as?: As): Promise<Json> => {
  const { data, errors } = await app.ask(updateText, { variables: { input }, ...(as && { as }) });
  return data?.updateReceivingAccount ?? errors;
};

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
      holder: 'Harbour Teas Ltd',
    });
  });

  test.each([
    ['duitNow', 'duit-now'],
    ['gojekId', 'gojek-id'],
  ] as const)('%s takes the code that the bank issued', async (member, method) => {
    const { baseCode } = await demoCode(method);
    const spaced = { baseCode: `  ${baseCode}\n`, bank: 'My Bank' };
    // The same code stands there for the fictional account, so the sandbox of a merchant without one is asked.
    expect(await create({ details: { [member]: spaced } })).toMatchObject({
      code: 'receiving_account_invalid',
      errors: [{ path: `/details/${member}`, message: expect.stringMatching(/^is the account acc_/) }],
    });
    const bare = await makeMerchant(app.context.service, { demoAccounts: false }, new Date());
    const made = await create({ details: { [member]: spaced } }, app.ask, bare.keys.live);
    expect(made.receivingAccount).toMatchObject({
      bank: 'My Bank',
      details: [{ name: 'baseCode', value: baseCode }, { name: 'bank' }],
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
    ['paynow', { uen: '200002150A' }, '/uen', 'has a wrong check letter'],
    ['viettelPay', { bin: '9704', account: '1', bank: 'VCB' }, '/bin', 'must be 6 digits'],
    ['duitNow', { baseCode: 'hello' }, '/baseCode', ''],
    [
      'instapay',
      { bic: 'HSBCHKHH', account: '12345', bank: 'HSBC' },
      '/bic',
      'must be a BIC of 8 or 11 characters with country PH',
    ],
    ['promptPay', { taxId: '0105500000004' }, '/taxId', 'has a wrong check digit'],
    ['inBankTransfer', { vpa: 'shop' }, '/vpa', 'must be a UPI id such as shop@examplebank'],
    ['gojekId', {}, '/baseCode', 'is required'],
    ['idBankTransfer', { bankCode: '014', account: '12', bank: 'BCA' }, '/account', 'must be 8 to 16 digits'],
    ['auBankTransfer', { abn: '99 000 000 001' }, '/abn', 'has wrong check digits'],
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
      holder: ' ',
      currency: 'USD',
      minAmount: '10.50',
      maxAmount: '-1',
      windowMinutes: 4,
      weight: 101,
      timeZone: 'Seoul',
      uniqueAmountsMax: 1000,
    });
    expect(refused.errors.map(({ path }: Json) => path)).toEqual([
      '/details/toss/bankCode',
      '/holder',
      '/minAmount',
      '/maxAmount',
      '/windowMinutes',
      '/weight',
      '/timeZone',
      '/uniqueAmountsMax',
      '/currency',
    ]);
    expect(refused.message).toBe('/details/toss/bankCode must be 3 digits (and 8 more)');
  });

  test.each([
    [{ minAmount: '200', maxAmount: '100' }, '/minAmount'],
    [{ minAmount: '50000.01' }, '/minAmount'],
    [{ uniqueAmountsMax: 5 }, undefined],
  ])('terms that do not go together are refused: %j', async (terms, path) => {
    const refused = await create({ details: { promptPay: { eWalletId: '140000812345678' } }, ...terms });
    expect(refused.errors?.map((fault: Json) => fault.path)).toEqual(path && [path]);
  });

  test('only one method’s details can be given', async () => {
    const both = { fps: { fpsId: '7654321' }, toss: { bankCode: '092', account: '1', bank: 'x' } };
    const [fault] = await create({ details: both });
    expect(fault.message).toMatch(/exactly one/i);
  });

  test('unique amounts are for payments that carry no reference', async () => {
    const refused = await create({ details: { fps: { fpsId: '7654321' } }, uniqueAmountsMax: 9 });
    expect(refused.errors).toEqual([
      { path: '/uniqueAmountsMax', message: 'is only for accounts whose payments carry no reference' },
    ]);
    const made = await create({ details: { promptPay: { taxId: '0105500000003' } }, uniqueAmountsMax: 9 });
    expect(made.receivingAccount).toMatchObject({ uniqueAmountsMax: 9, carriesReference: false });
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
      expect(errors[0].message).toContain(`is the account ${receivingAccount.id}`);
    }
    const other = await create({ details }, app.ask, app.merchant.keys.sandbox);
    expect(other.receivingAccount.id).not.toBe(receivingAccount.id);
  });

  test('two at once make one', async () => {
    const details = { toss: { bankCode: '092', account: '555566667777', bank: 'Toss Bank' } };
    const made = await Promise.all(Array.from({ length: 5 }, () => create({ details })));
    expect(made.filter(({ receivingAccount }) => receivingAccount)).toHaveLength(1);
  });
});

describe('updateReceivingAccount', () => {
  let id: string;
  beforeAll(async () => {
    id = (await create({ details: { fps: { email: 'teas@example.com' } } })).receivingAccount.id;
  });

  test('changes texts, limits, window, weight and time zone, and null takes an own limit away', async () => {
    const changes = {
      holder: 'Harbour Teas HK',
      bank: 'HSBC',
      minAmount: '10.00',
      maxAmount: '5000.00',
      windowMinutes: 45,
      weight: 7,
      timeZone: 'Asia/Macau',
    };
    const { receivingAccount } = await update({ id, ...changes });
    expect(receivingAccount).toMatchObject(changes);
    const undone = await update({ id, maxAmount: null, windowMinutes: null });
    expect(undone.receivingAccount).toMatchObject({ ...changes, maxAmount: null, windowMinutes: null });
    const refused = await update({ id, minAmount: '20000000.00' });
    expect(refused.errors).toEqual([
      { path: '/minAmount', message: expect.stringContaining('leaves no amount') },
    ]);
  });

  test('a retired one keeps its history and changes only when taken up again', async () => {
    const charge = await makeCharge(app.context.service, app.merchant, {
      now: new Date(),
      input: { method: 'fps' },
    });
    const account = charge.receivingAccountId;
    const { receivingAccount } = await update({ id: account, status: 'retired' });
    expect(receivingAccount).toMatchObject({ status: 'retired', retiredAt: expect.any(String) });
    expect(await update({ id: account, status: 'retired' })).toMatchObject({ receivingAccount });
    expect(await update({ id: account, weight: 3 })).toMatchObject({
      __typename: 'ConflictError',
      code: 'receiving_account_retired',
    });
    const paid = await payCharge(app.context.service, app.merchant, charge, {
      amount: '128.50',
      paidAt: new Date(),
    });
    expect(paid).toMatchObject([{ status: 'matched', chargeId: charge.id }]);
    const text = `{ charge(id: "${charge.id}") { status receivingAccount { status sampleDestination { qrCode } } }
      transfers(first: 1) { nodes { receivingAccount { id } } } }`;
    const { data } = await app.ask(text);
    expect(data.charge).toEqual({
      status: 'completed',
      receivingAccount: { status: 'retired', sampleDestination: null },
    });
    expect(data.transfers.nodes).toEqual([{ receivingAccount: { id: account } }]);
    const back = await update({ id: account, status: 'active', weight: 3 });
    expect(back.receivingAccount).toMatchObject({ status: 'active', retiredAt: null, weight: 3 });
  });

  test('finds only one’s own: not a stranger’s, not of the other mode', async () => {
    for (const as of [app.stranger.keys.live, app.merchant.keys.sandbox]) {
      expect(await update({ id, weight: 2 }, as)).toMatchObject({ code: 'receiving_account_not_found' });
    }
  });
});

describe('who may, and who is told', () => {
  test('live accounts are the owner’s; in the sandbox a developer may try, support never', async () => {
    const details = (n: number) => ({ details: { fps: { fpsId: `22000${n}0` } } });
    const [owner, developer, support] = [
      await signedInAs('owner', app, app.merchant),
      await signedInAs('developer', app, app.merchant),
      await signedInAs('support', app, app.merchant),
    ];
    expect((await create(details(1), owner.ask as Asker)).__typename).toBe('CreateReceivingAccountSuccess');
    for (const { ask } of [developer, support]) {
      expect((await create(details(2), ask as Asker)).code).toBe('permission_denied');
    }
    const sandbox =
      (one: typeof owner): Asker =>
      (query, options) =>
        one.ask(query, { ...options, mode: 'sandbox' });
    expect((await create(details(3), sandbox(developer))).__typename).toBe('CreateReceivingAccountSuccess');
    expect((await create(details(4), sandbox(support))).code).toBe('permission_denied');
  });

  test('every change of a live account is mailed to each owner once, with what changed and by whom; none of the sandbox', async () => {
    const second = await signedInAs('owner', app, app.merchant);
    const { service } = app.context;
    const mails = async (account: string) =>
      service.prisma.message.findMany({
        where: { dedupeKey: { contains: account } },
        orderBy: { id: 'asc' },
      });
    const { receivingAccount } = await create({ details: { paynow: { mobile: '+65 8123 4567' } } });
    await update({ id: receivingAccount.id, maxAmount: '900.00', holder: 'Teas Pte Ltd' });
    await update({ id: receivingAccount.id, maxAmount: '900.00' });
    await update({ id: receivingAccount.id, status: 'retired' });
    const sent = await mails(receivingAccount.id);
    const mine = sent.filter(({ recipient }) => recipient === second.email);
    expect(mine.map(({ subject }) => subject)).toEqual([
      'A receiving account was added: Harbour Teas',
      'A receiving account was changed: Harbour Teas',
      'A receiving account was retired: Harbour Teas',
    ]);
    expect(new Set(sent.map(({ recipient }) => recipient))).toContain(app.merchant.email);
    expect(sent.every(({ audience, mode }) => audience === 'team' && mode === 'live')).toBe(true);
    const { text } = unsealContent(service.secrets, mine[1]!.contentSealed!) as { text: string };
    expect(text).toContain('Largest amount: none → 900.00 SGD');
    expect(text).toContain('Holder: Harbour Teas Ltd → Teas Pte Ltd');
    expect(text).toContain(`/dashboard/receiving-accounts/${receivingAccount.id}`);
    const sandbox = await create(
      { details: { paynow: { mobile: '+65 8123 4567' } } },
      app.ask,
      app.merchant.keys.sandbox,
    );
    expect(await mails(sandbox.receivingAccount.id)).toEqual([]);
  });

  test('each stands in the audit trail, with what was and is; nothing where nothing changed', async () => {
    const { receivingAccount } = await create({ details: { paynow: { mobile: '+65 9123 4567' } } });
    await update({ id: receivingAccount.id, weight: 4, status: 'retired' });
    await update({ id: receivingAccount.id, status: 'retired' });
    const rows = await app.context.service.prisma.auditEntry.findMany({
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

describe('what a merchant sees', () => {
  test('the list is filtered by method, status and currency', async () => {
    const list = async (filter: string) => {
      const { data } = await app.ask(
        `{ receivingAccounts(first: 50, filter: { ${filter} }) { totalCount nodes { method status currency } } }`,
      );
      return data.receivingAccounts;
    };
    const retired = await list('method: paynow, status: retired');
    expect(retired.totalCount).toBe(retired.nodes.length);
    expect(new Set(retired.nodes.map((one: Json) => `${one.method} ${one.status}`))).toEqual(
      new Set(['paynow retired']),
    );
    const hkd = await list('currency: "HKD"');
    expect(new Set(hkd.nodes.map(({ method }: Json) => method))).toEqual(
      new Set(['fps', 'hk_bank_transfer']),
    );
  });

  test('the preview is what a customer would get, with a word of no charge', async () => {
    const { receivingAccount } = await create({
      details: { fps: { fpsId: '4455667' } },
      minAmount: '20.00',
      maxAmount: '500.00',
    });
    const preview = async (args = '') =>
      app.ask(
        `{ receivingAccount(id: "${receivingAccount.id}") { sampleDestination${args} { qrCode account nonce accountName bank } } }`,
      );
    const { data } = await preview('(amount: "128.50")');
    expect(data.receivingAccount.sampleDestination).toMatchObject({
      qrCode: expect.stringMatching(/^000201010212.*hk\.com\.hkicl02074455667.*5406128\.50.*0509SAMPLE123/),
      account: '4455667',
      nonce: 'SAMPLE123',
      accountName: 'Harbour Teas Ltd',
    });
    expect((await preview()).data.receivingAccount.sampleDestination.qrCode).toContain('540520.00');
    expect((await preview('(amount: "500.01")')).errors[0].extensions.code).toBe('amount_out_of_range');
    expect((await preview('(amount: "0")')).errors[0].extensions.code).toBe('invalid_request');
  });

  test('the forms tell what every method needs', async () => {
    const { data } = await app.ask(
      '{ receivingAccountForms { method member description currency members { name description example required isCode } } }',
    );
    const forms = data.receivingAccountForms as Json[];
    expect(new Set(forms.map(({ method }) => method.replaceAll('_', '-')))).toEqual(new Set(methodCodes));
    const fps = forms.filter(({ member }) => member === 'fps');
    expect(fps.map(({ members }) => members[0].name)).toEqual(['fpsId', 'mobile', 'email']);
    // Every example is one that the scheme takes.
    const bare = await makeMerchant(app.context.service, { demoAccounts: false }, new Date());
    for (const { member, members } of forms) {
      const details = Object.fromEntries(members.map(({ name, example }: Json) => [name, example]));
      const made = await create({ details: { [member]: details } }, app.ask, bare.keys.live);
      expect([member, made.errors]).toEqual([member, undefined]);
    }
  });

  test('a charge tells what was added to its amount', async () => {
    const bare = await makeMerchant(app.context.service, { demoAccounts: false }, new Date());
    const details = { promptPay: { mobile: '081 234 5678' } };
    await create({ details, uniqueAmountsMax: 3 }, app.ask, bare.keys.live);
    const asked = [];
    for (const email of ['a@example.com', 'b@example.com']) {
      const input = { email, merchantAmount: 100, merchantCurrency: 'THB', method: 'prompt-pay' };
      const { id } = await makeCharge(app.context.service, bare, { input, now: new Date() });
      const { data } = await app.ask(
        `{ charge(id: "${id}") { customerAmount amountAdded merchantAmount } }`,
        { as: bare.keys.live },
      );
      asked.push(data.charge);
    }
    expect(asked).toEqual([
      { customerAmount: '100.00', amountAdded: '0.00', merchantAmount: '100.00' },
      { customerAmount: '101.00', amountAdded: '1.00', merchantAmount: '100.00' },
    ]);
  });
});
