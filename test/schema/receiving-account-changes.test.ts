import { beforeAll, describe, expect, test } from 'vitest';
import { methodCodes } from '../../src/method/catalogue.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
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

const onCleanup = cleanupAfterFile();

/** Receiving accounts: who may change them, who is told, what stays of a retired one, what a merchant sees. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const create = (input: object, ask: RequestFunction = app.ask, as?: ApiAuth) =>
  createAccountByApi(ask, input, as);
const update = (input: object, as?: ApiAuth) => updateAccountByApi(app.ask, input, as);

describe('updateReceivingAccount', () => {
  let id: string;
  beforeAll(async () => {
    id = (await create({ details: { fps: { email: 'teas@example.com' } } })).receivingAccount.id;
  });

  test('changes texts, limits, window, weight and time zone, and null takes an own limit away', async () => {
    const changes = {
      accountName: 'Harbour Teas HK',
      bank: 'HSBC',
      minAmount: '10.00',
      maxAmount: '5000.00',
      paymentWindowMinutes: 45,
      weight: 7,
      timeZone: 'Asia/Macau',
    };
    const { receivingAccount } = await update({ id, ...changes });
    expect(receivingAccount).toMatchObject(changes);
    const undone = await update({ id, maxAmount: null, paymentWindowMinutes: null });
    expect(undone.receivingAccount).toMatchObject({
      ...changes,
      maxAmount: null,
      paymentWindowMinutes: null,
    });
    const refused = await update({ id, minAmount: '20000000.00' });
    expect(refused.errors).toEqual([
      { path: '/minAmount', message: expect.stringContaining('leaves no allowed amount') },
    ]);
  });

  test('a retired one keeps its history and changes only when taken up again', async () => {
    const charge = await seedCharge(app.context.service, app.merchant, {
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
    const paid = await payCharge(app.context.service, app.merchant, charge);
    expect(paid).toMatchObject({ status: 'matched', chargeId: charge.id });
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
    for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox]) {
      expect(await update({ id, weight: 2 }, as)).toMatchObject({ code: 'receiving_account_not_found' });
    }
  });
});

describe('who may, and who is told', () => {
  test('live accounts are the owner’s; in the sandbox a developer may try, support never', async () => {
    const details = (n: number) => ({ details: { fps: { fpsId: `22000${n}0` } } });
    const [owner, developer, support] = [
      await signInAs('owner', app, app.merchant),
      await signInAs('developer', app, app.merchant),
      await signInAs('support', app, app.merchant),
    ];
    expect((await create(details(1), owner.ask as RequestFunction)).__typename).toBe(
      'CreateReceivingAccountSuccess',
    );
    for (const { ask } of [developer, support]) {
      expect((await create(details(2), ask as RequestFunction)).code).toBe('permission_denied');
    }
    const sandbox =
      (one: typeof owner): RequestFunction =>
      (query, options) =>
        one.ask(query, { ...options, mode: 'sandbox' });
    expect((await create(details(3), sandbox(developer))).__typename).toBe('CreateReceivingAccountSuccess');
    expect((await create(details(4), sandbox(support))).code).toBe('permission_denied');
  });

  test('every change of a live account is mailed to each owner once, with what changed and by whom; none of the sandbox', async () => {
    const second = await signInAs('owner', app, app.merchant);
    const { service } = app.context;
    const mails = async (account: string) =>
      service.prisma.message.findMany({
        where: { dedupeKey: { contains: account } },
        orderBy: { id: 'asc' },
      });
    const { receivingAccount } = await create({ details: { paynow: { mobile: '+65 8123 4567' } } });
    await update({ id: receivingAccount.id, maxAmount: '900.00', accountName: 'Teas Pte Ltd' });
    await update({ id: receivingAccount.id, maxAmount: '900.00' });
    await update({ id: receivingAccount.id, status: 'retired' });
    const sent = await mails(receivingAccount.id);
    const mine = sent.filter(({ recipient }) => recipient === second.email);
    expect(mine.map(({ subject }) => subject)).toEqual([
      'A receiving account was added: Harbour Teas',
      'A receiving account was changed: Harbour Teas',
      'A receiving account was deactivated: Harbour Teas',
    ]);
    expect(new Set(sent.map(({ recipient }) => recipient))).toContain(app.merchant.email);
    expect(sent.every(({ audience, mode }) => audience === 'staff' && mode === 'live')).toBe(true);
    const { text } = await readContent(service, mine[1]!);
    expect(text).toContain('Maximum amount: none → 900.00 SGD');
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
  test('the list holds those of the mode, newest first', async () => {
    const { service } = app.context;
    const merchant = await seedMerchant(service, {}, new Date());
    const own = { merchantId: merchant.merchant.id, mode: 'live' as const };
    const from = await service.prisma.receivingAccount.findFirstOrThrow({ where: { ...own, method: 'fps' } });
    const limits = { minAmount: 100n, maxAmount: 5000n };
    const given = { ...limits, details: from.details, holder: 'Second' };
    const second = await seedReceivingAccount(service, merchant, given, new Date());
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

  test('the list is filtered by method, status and currency', async () => {
    const { receivingAccount } = await create({ details: { paynow: { mobile: '+65 8765 4321' } } });
    await update({ id: receivingAccount.id, status: 'retired' });
    const list = async (filter: string) => {
      const { data } = await app.ask(
        `{ receivingAccounts(first: 50, filter: { ${filter} }) { totalCount nodes { method status currency } } }`,
      );
      return data.receivingAccounts;
    };
    const retired = await list('method: paynow, statuses: retired');
    expect(retired.totalCount).toBeGreaterThan(0);
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
        `{ receivingAccount(id: "${receivingAccount.id}") { sampleDestination${args} { qrCode account paymentReference accountName bank } } }`,
      );
    const { data } = await preview('(amount: "128.50")');
    expect(data.receivingAccount.sampleDestination).toMatchObject({
      qrCode: expect.stringMatching(/^000201010212.*hk\.com\.hkicl02074455667.*5406128\.50.*0509SAMPLE123/),
      account: '4455667',
      paymentReference: 'SAMPLE123',
      accountName: 'Harbour Teas Ltd',
    });
    expect((await preview()).data.receivingAccount.sampleDestination.qrCode).toContain('540520.00');
    expect((await preview('(amount: "500.01")')).errors[0].extensions.code).toBe('amount_out_of_range');
    expect((await preview('(amount: "0")')).errors[0].extensions.code).toBe('invalid_request');
  });

  test('the forms tell what every method needs', async () => {
    const { data } = await app.ask(
      '{ receivingAccountForms { method inputField description currency fields { name description example isRequired isQrCode } } }',
    );
    const forms = data.receivingAccountForms as Json[];
    expect(new Set(forms.map(({ method }) => method.replaceAll('_', '-')))).toEqual(new Set(methodCodes));
    const fps = forms.filter(({ inputField: member }) => member === 'fps');
    expect(fps.map(({ fields: members }) => members[0].name)).toEqual(['fpsId', 'mobile', 'email']);
    // Every example is one that the scheme takes.
    const bare = await seedMerchant(app.context.service, { demoAccounts: false }, new Date());
    for (const { inputField: member, fields: members } of forms) {
      const details = Object.fromEntries(members.map(({ name, example }: Json) => [name, example]));
      const made = await create({ details: { [member]: details } }, app.ask, bare.keys.live);
      expect([member, made.errors]).toEqual([member, undefined]);
    }
  });

  test('a charge tells what was added to its amount', async () => {
    const bare = await seedMerchant(app.context.service, { demoAccounts: false }, new Date());
    const details = { promptPay: { mobile: '081 234 5678' } };
    await create({ details, maxAmountOffset: 3 }, app.ask, bare.keys.live);
    const asked = [];
    for (const email of ['a@example.com', 'b@example.com']) {
      const input = { email, merchantAmount: 100, merchantCurrency: 'THB', method: 'prompt-pay' };
      const { id } = await seedCharge(app.context.service, bare, { input, now: new Date() });
      const { data } = await app.ask(
        `{ charge(id: "${id}") { customerAmount amountOffset merchantAmount } }`,
        { as: bare.keys.live },
      );
      asked.push(data.charge);
    }
    expect(asked).toEqual([
      { customerAmount: '100.00', amountOffset: '0.00', merchantAmount: '100.00' },
      { customerAmount: '101.00', amountOffset: '1.00', merchantAmount: '100.00' },
    ]);
  });
});
