import { describe, expect } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { openCheckoutLink } from '../../src/domain/payments/checkout-link/open-checkout-link.ts';
import { readClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { paySession } from '../../src/domain/payments/session/pay-session.ts';
import { methodCodes } from '../../src/method/catalog.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { seedCheckoutLink } from '../setup/checkout.ts';
import { doneOrCode } from '../setup/errors.ts';
import { type ApiAuth, type GraphqlApp, mutate } from '../setup/graphql.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

describe('Checkout session', () => {
  const fields = `id status amount currency orders { orderId quantity } methods checkoutUrl redirectUrl notifyUrl notifyPayload
  customer { email phone firstName lastName } charge { id } expiresAt createdAt updatedAt`;

  const create = (app: GraphqlApp, input: object, as?: ApiAuth) =>
    mutate(
      app,
      'createSession',
      { amount: '128.50', currency: 'HKD', ...input },
      `clientToken session { ${fields} }`,
      as,
    );

  const cancel = (app: GraphqlApp, id: string, as?: ApiAuth) =>
    mutate(app, 'cancelSession', { id }, 'session { id status }', as);

  /** Opens the session as the customer and selects FPS. */
  async function use(app: GraphqlApp, id: string) {
    const { service } = app.context;
    const now: Date = app.context.clock.now();
    const { session } = await claimSession(service, { id, browserToken: 'browser', canTakeOver: false, now });
    return chargeSession(service, {
      merchant: app.merchant.merchant,
      session,
      browserToken: 'browser',
      method: 'fps',
      customer: { email: 'ada@example.com' },
      now,
    });
  }

  describe('createSession', () => {
    test('returns the session with its checkout URL, and the client token', async ({ app }) => {
      const { session, clientToken } = await create(app, {
        orders: [{ orderId: 'o-1', quantity: 2 }],
        methods: ['hk_bank_transfer', 'fps'],
        notifyUrl: 'https://shop.example/paid',
        notifyPayload: 'b3JkZXI=',
        redirectUrl: 'https://shop.example/thanks',
        customer: { email: 'ada@example.com', phone: { code: '+852', phone: '5123 4567' }, firstName: 'Ada' },
      });
      expect(session).toMatchObject({
        status: 'created',
        amount: '128.50',
        currency: 'HKD',
        orders: [{ orderId: 'o-1', quantity: 2 }],
        methods: ['fps', 'hk_bank_transfer'],
        checkoutUrl: `http://127.0.0.1:4000/checkout?sessionId=${session.id}`,
        redirectUrl: 'https://shop.example/thanks',
        notifyUrl: 'https://shop.example/paid',
        notifyPayload: 'b3JkZXI=',
        customer: { email: 'ada@example.com', phone: '+85251234567', firstName: 'Ada', lastName: null },
        charge: null,
      });
      expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(7 * 24 * 3_600_000);
      const { secrets } = app.context.service;
      expect(readClientToken(secrets, clientToken)).toEqual({ id: session.id, mode: 'live' });
    });

    test('has isSandbox in the checkout URL of the sandbox, and offers all methods by default', async ({
      app,
    }) => {
      const { session } = await create(app, {}, app.merchant.keys.sandbox);
      expect(session.checkoutUrl).toMatch(/&isSandbox=true$/);
      expect(session.methods).toEqual(methodCodes.map((code) => code.replaceAll('-', '_')));
    });

    test.for<[input: object, type: string, code: string, path?: string]>([
      [{ amount: '0' }, 'InvalidRequestError', 'invalid_request', '/amount'],
      [{ redirectUrl: 'javascript:alert(1)' }, 'InvalidRequestError', 'invalid_request', '/redirectUrl'],
      [
        { customer: { phone: { code: '+852', phone: '1' } } },
        'InvalidRequestError',
        'invalid_request',
        '/customer/phone',
      ],
      [{ currency: 'XXX' }, 'UnprocessableError', 'currency_unsupported'],
      [{ amount: '20000000', methods: ['fps'] }, 'UnprocessableError', 'amount_out_of_range'],
    ])('returns %s with the code %s for %o', async ([input, type, code, path], { app }) => {
      const error = await create(app, input);
      expect(error).toMatchObject({ __typename: type, code });
      if (path) expect(error.errors[0].path).toBe(path);
    });
  });

  describe('a session', () => {
    test('is found by its id and in the list, with its charge after it was used', async ({ app, clock }) => {
      await create(app, {});
      clock.advance(1_000);
      const { session } = await create(app, {});
      const charge = await use(app, session.id);
      const { data } = await app.ask(
        `{ session(id: "${session.id}") { status charge { id session { id } } } sessions(first: 1) { totalCount nodes { id status } } }`,
      );
      expect(data.session).toEqual({
        status: 'charged',
        charge: { id: charge.id, session: { id: session.id } },
      });
      expect(data.sessions.nodes).toEqual([{ id: session.id, status: 'charged' }]);
      expect(data.sessions.totalCount).toBeGreaterThan(1);
    });

    test('is expired from the time of expiry on, before a job runs', async ({ app, clock }) => {
      const { session } = await create(app, {});
      const past = new Date(clock.now().getTime() - 1);
      await app.context.service.prisma.checkoutSession.update({
        where: { id: session.id },
        data: { expiresAt: past },
      });
      const { data } = await app.ask(`{ session(id: "${session.id}") { status } }`);
      expect(data.session.status).toBe('expired');
      expect(await cancel(app, session.id)).toMatchObject({
        __typename: 'ConflictError',
        code: 'session_expired',
      });
    });
  });

  test('hasOrderMismatch warns the merchant of order lines that add up to another amount, and not the customer', async ({
    app,
  }) => {
    const select = 'hasOrderMismatch';
    const input = { amount: '96', currency: 'HKD' };
    const [right, wrong] = [[{ quantity: 2, amount: '48' }], [{ quantity: 2, amount: '96' }]];
    for (const [orders, expected] of [
      [right, false],
      [wrong, true],
    ] as const) {
      const { clientToken, session } = await create(app, { ...input, orders });
      const charge = await use(app, session.id);
      const query = `{ session(id: "${session.id}") { ${select} } charge(id: "${charge.id}") { ${select} } }`;
      expect((await app.ask(query)).data).toEqual({
        session: { hasOrderMismatch: expected },
        charge: { hasOrderMismatch: expected },
      });
      const hidden = { hasOrderMismatch: null };
      expect((await app.ask(query, { as: { token: clientToken } })).data).toEqual({
        session: hidden,
        charge: hidden,
      });
      const link = await mutate(
        app,
        'createCheckoutLink',
        { ...input, orders },
        `checkoutLink { ${select} }`,
      );
      expect(link.checkoutLink).toEqual({ hasOrderMismatch: expected });
    }
  });

  describe('chargeSession', () => {
    const charge = (app: GraphqlApp, input: object, token: string) =>
      mutate(app, 'chargeSession', input, 'charge { id method status outstanding { amount } }', { token });

    test('creates one charge, and replaces it when the customer chooses another method', async ({ app }) => {
      const { session, clientToken } = await create(app, {});
      const input = { id: session.id, method: 'fps', email: 'ada@example.com' };
      const first = await charge(app, input, clientToken);
      expect(first.charge).toMatchObject({
        method: 'fps',
        status: 'pending',
        outstanding: { amount: '128.50' },
      });
      expect((await charge(app, input, clientToken)).charge.id).toBe(first.charge.id);
      const second = await charge(app, { id: session.id, method: 'paynow' }, clientToken);
      expect(second.charge).toMatchObject({ method: 'paynow', status: 'pending' });
      const replaced = await app.context.service.prisma.charge.findUnique({ where: { id: first.charge.id } });
      expect(replaced!.status).toBe('cancelled');
    });

    test('returns the rows that the payment apps of each country ask for, in their order', async ({
      app,
    }) => {
      const banks = ['bank', 'account_number', 'account_name', 'amount', 'reference'];
      // An account by bank code, by alias, by BSB, by UPI ID, by biller, and by the merchant's own QR code.
      const fields = {
        hk_bank_transfer: banks,
        fps: ['email', 'account_name', 'amount', 'reference'],
        viettel_pay: banks,
        paynow: ['uen', 'account_name', 'amount', 'reference'],
        au_bank_transfer: ['account_name', 'bsb', 'account_number', 'bank', 'amount', 'reference'],
        in_bank_transfer: ['upi_id', 'account_name', 'amount', 'reference'],
        prompt_pay: ['biller_id', 'account_name', 'reference1', 'amount'],
        gojek_id: ['merchant_name', 'amount'],
      };
      const select = `charge { outstanding { amount referencePlacement destination {
        paymentReference rows { field value code } } } }`;
      for (const [method, expected] of Object.entries(fields)) {
        const { session, clientToken } = await create(app, {});
        const input = { id: session.id, method, email: 'ada@example.com' };
        const { charge } = await mutate(app, 'chargeSession', input, select, { token: clientToken });
        const { rows, paymentReference } = charge.outstanding.destination;
        expect(rows.map(({ field }: { field: string }) => field)).toEqual(expected);
        const reference = rows.find(({ field }: { field: string }) => /^reference1?$/.test(field));
        expect(reference?.value ?? paymentReference).toBe(paymentReference);
        expect(rows.find(({ field }: { field: string }) => field === 'bank')?.code ?? null).toBe(
          method === 'hk_bank_transfer' ? '000' : null,
        );
      }
    });

    test('takes over a session that another browser has claimed, until there is a charge', async ({
      app,
    }) => {
      const { service, clock } = app.context;
      const { session, clientToken } = await create(app, {});
      const now: Date = clock.now();
      const claim = { id: session.id, browserToken: 'browser', canTakeOver: false, now };
      await claimSession(service, claim);
      const input = { id: session.id, method: 'fps', email: 'ada@example.com' };
      expect((await charge(app, input, clientToken)).charge.status).toBe('pending');
    });

    test('starts an expired charge again until the session ends, and reports its end for 24 hours', async ({
      app,
      clock,
    }) => {
      const { service } = app.context;
      const days = 24 * 60;
      const { session, clientToken } = await create(app, { expiresInMinutes: 3 * days });
      const input = { id: session.id, method: 'fps', email: 'ada@example.com' };
      const first = await charge(app, input, clientToken);
      const expire = async (minutes: number) => {
        clock.set(minutesAfter(noon, minutes));
        await expireCharges(service, { now: minutesAfter(noon, minutes) });
      };
      await expire(2 * days);
      const again = await charge(app, input, clientToken);
      expect(again.charge).toMatchObject({ method: 'fps', status: 'pending' });
      expect(again.charge.id).not.toBe(first.charge.id);

      const read = () =>
        app.ask(`{ session(id: "${session.id}") { charge { status } } }`, { as: { token: clientToken } });
      await expire(4 * days);
      expect((await read()).data.session).toEqual({ charge: { status: 'expired' } });
      clock.set(minutesAfter(noon, 4 * days + 1));
      expect((await read()).status).toBe(401);
    });

    test('requires the token of the session, an email and an offered method', async ({ app }) => {
      const { session, clientToken } = await create(app, { methods: ['fps'] });
      const other = await create(app, {});
      const input = { id: session.id, method: 'fps', email: 'ada@example.com' };
      expect(await charge(app, input, other.clientToken)).toMatchObject({ code: 'session_not_found' });
      expect(await charge(app, { ...input, email: null }, clientToken)).toMatchObject({
        errors: [{ path: '/email' }],
      });
      expect(await charge(app, { ...input, method: 'paynow' }, clientToken)).toMatchObject({
        code: 'method_unavailable',
      });
      expect(
        await mutate(app, 'chargeSession', input, 'charge { id }', app.merchant.keys.live),
      ).toMatchObject({
        code: 'permission_denied',
      });
    });

    test('offers each method with its amount to a page with the token', async ({ app }) => {
      const { session, clientToken } = await create(app, { methods: ['fps', 'hk_bank_transfer'] });
      const { data } = await app.ask(
        '{ session(id: "' +
          session.id +
          '") { mode merchantName offers { method country customerAmount } } }',
        { as: { token: clientToken } },
      );
      expect(data.session).toEqual({
        mode: 'live',
        merchantName: app.merchant.merchant.name,
        offers: [
          { method: 'fps', country: 'HK', customerAmount: '128.50' },
          { method: 'hk_bank_transfer', country: 'HK', customerAmount: '128.50' },
        ],
      });
    });
  });

  describe('cancelSession', () => {
    test('cancels a session that has no charge, once', async ({ app }) => {
      const { session } = await create(app, {});
      expect((await cancel(app, session.id)).session).toEqual({ id: session.id, status: 'cancelled' });
      expect(await cancel(app, session.id)).toMatchObject({
        __typename: 'ConflictError',
        code: 'session_cancelled',
      });
    });

    test('rejects a session whose charge is pending', async ({ app }) => {
      const { session } = await create(app, {});
      await use(app, session.id);
      expect(await cancel(app, session.id)).toMatchObject({ code: 'session_already_used' });
    });

    test('cancels a session whose charge has expired, so that the customer cannot pay again', async ({
      app,
    }) => {
      const { service } = app.context;
      const { merchant } = app.merchant;
      const { session } = await create(app, { expiresInMinutes: 1_440 });
      await use(app, session.id);
      const now = minutesAfter(noon, 31);
      await expireCharges(service, { now });
      expect((await cancel(app, session.id)).session).toEqual({ id: session.id, status: 'cancelled' });
      const payment = {
        merchant,
        id: session.id,
        mode: 'live',
        method: 'fps',
        ipAddress: '192.0.2.1',
      } as const;
      await expect(paySession(service, { ...payment, now })).rejects.toMatchObject({
        code: 'session_cancelled',
      });
    });

    test('does not find a missing session, another merchant’s or one of the other mode', async ({ app }) => {
      const { session } = await create(app, {});
      const notFound = { __typename: 'NotFoundError', code: 'session_not_found' };
      expect(await cancel(app, 'ses_missing')).toMatchObject(notFound);
      expect(await cancel(app, session.id, app.otherMerchant.keys.live)).toMatchObject(notFound);
      expect(await cancel(app, session.id, app.merchant.keys.sandbox)).toMatchObject(notFound);
    });
  });
});

describe('Checkout link', () => {
  const fields = `id url amount currency orders { name } selectedMethods notifyPayload redirectUrl customer { email }
  usageCount usageLimit closedAt`;

  const createLink = (app: GraphqlApp, input: object = {}, as?: ApiAuth) =>
    mutate(
      app,
      'createCheckoutLink',
      { amount: '5', currency: 'HKD', ...input },
      `checkoutLink { ${fields} }`,
      as,
    );

  const close = (app: GraphqlApp, id: string, as?: ApiAuth) =>
    mutate(app, 'closeCheckoutLink', { id }, 'checkoutLink { closedAt }', as);

  describe('createCheckoutLink', () => {
    test('returns the link with its URL', async ({ app, clock }) => {
      // The time is later than that of the links of all other tests.
      clock.set(minutesAfter(noon, 60));
      const { checkoutLink } = await createLink(app, {
        currency: 'USD',
        orders: [{ name: 'Tea' }],
        methods: ['prompt_pay', 'fps'],
        notifyPayload: 'x',
        redirectUrl: 'https://shop.example',
        customer: { email: 'ada@example.com' },
      });
      const { id } = checkoutLink;
      expect(checkoutLink).toMatchObject({
        url: `http://127.0.0.1:4000/checkout?link=${id}`,
        amount: '5.00',
        currency: 'USD',
        orders: [{ name: 'Tea' }],
        notifyPayload: 'x',
        redirectUrl: 'https://shop.example',
        customer: { email: 'ada@example.com' },
        usageCount: 0,
      });
      expect(checkoutLink.selectedMethods.sort()).toEqual(['fps', 'prompt_pay']);
      const { data } = await app.ask(
        `{ checkoutLink(id: "${id}") { id } checkoutLinks(first: 1) { nodes { id } } }`,
      );
      expect(data).toEqual({ checkoutLink: { id }, checkoutLinks: { nodes: [{ id }] } });
      const as = app.otherMerchant.keys.live;
      const { data: foreign } = await app.ask(
        `{ checkoutLink(id: "${id}") { id } checkoutLinks { totalCount } }`,
        { as },
      );
      expect(foreign).toEqual({ checkoutLink: null, checkoutLinks: { totalCount: 0 } });
    });

    test('offers all methods by default', async ({ app }) => {
      const { checkoutLink } = await createLink(app, { methods: [] }, app.merchant.keys.sandbox);
      expect(checkoutLink).toMatchObject({
        selectedMethods: [],
        url: expect.stringMatching(/isSandbox=true$/),
      });
    });

    test('returns the limits of an amount that the customer chooses', async ({ app }) => {
      const select = 'checkoutLink { amount customAmount { min max } hasOrderMismatch }';
      const create = (input: object) =>
        mutate(app, 'createCheckoutLink', { currency: 'HKD', orders: [{ amount: '1' }], ...input }, select);
      expect((await create({ customAmount: { min: '1.5' } })).checkoutLink).toEqual({
        amount: '0.00',
        customAmount: { min: '1.50', max: null },
        hasOrderMismatch: false,
      });
      expect((await create({ amount: '1' })).checkoutLink.customAmount).toBeNull();
      expect(await create({ customAmount: { max: '1.555' } })).toMatchObject({
        errors: [{ path: '/customAmount/max' }],
      });
    });

    test('rejects an unsupported currency of an amount that the customer chooses', async ({ app }) => {
      const input = { currency: 'ABC', customAmount: {} };
      expect(await mutate(app, 'createCheckoutLink', input, 'checkoutLink { id }')).toMatchObject({
        code: 'currency_unsupported',
      });
    });

    test('reports the path of an invalid amount', async ({ app }) => {
      const error = await createLink(app, { amount: '0.001' });
      expect(error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/amount' }] });
    });
  });

  test('a link accepts charges up to its usage limit, also from concurrent customers', async ({ app }) => {
    const { service } = app.context;
    const { merchant } = app.merchant;
    const { checkoutLink } = await createLink(app, { usageLimit: 3 });
    expect(checkoutLink).toMatchObject({ usageCount: 0, usageLimit: 3, closedAt: null });
    const { link } = await openCheckoutLink(service, { id: checkoutLink.id, systemNow: noon });
    const visitor = { ipAddress: '198.51.100.7' };
    const attempts = Array.from({ length: 10 }, (_, i) => {
      const customer = { email: `link-${i}@example.com` };
      const options = { merchant, link, method: 'fps', customer, visitor, now: new Date() } as const;
      return doneOrCode(chargeCheckoutLink(service, options));
    });
    const results = await Promise.all(attempts);
    expect(results.filter((result) => result === 'done')).toHaveLength(3);
    expect(results.filter((result) => result === 'link_closed')).toHaveLength(7);
    expect(await service.prisma.charge.count({ where: { checkoutLinkId: checkoutLink.id } })).toBe(3);
    const { data } = await app.ask(`{ checkoutLink(id: "${checkoutLink.id}") { usageCount usageLimit } }`);
    expect(data.checkoutLink).toEqual({ usageCount: 3, usageLimit: 3 });
    await expect(openCheckoutLink(service, { id: checkoutLink.id, systemNow: noon })).rejects.toMatchObject({
      code: 'link_closed',
    });
  });

  test('an expired link accepts no charges, and its name is for the merchant', async ({ app, clock }) => {
    const { service } = app.context;
    const { merchant } = app.merchant;
    const expiresAt = minutesAfter(noon, 60);
    const { checkoutLink } = await createLink(app, {
      name: ' Market stall ',
      expiresAt: expiresAt.toISOString(),
    });
    const { id } = checkoutLink;
    const { link } = await openCheckoutLink(service, { id, systemNow: noon });
    const options = { merchant, link, method: 'fps', customer: { email: 'mei@example.com' } } as const;
    const visitor = { ipAddress: '198.51.100.7' };
    const charge = (now: Date) => doneOrCode(chargeCheckoutLink(service, { ...options, visitor, now }));
    expect(await charge(minutesAfter(noon, 59))).toBe('done');
    expect(await charge(expiresAt)).toBe('link_closed');
    const opened = openCheckoutLink(service, { id, systemNow: expiresAt });
    await expect(opened).rejects.toMatchObject({ code: 'link_closed' });
    clock.set(expiresAt);
    const { data } = await app.ask(`{ checkoutLink(id: "${id}") { name isExpired } }`);
    expect(data.checkoutLink).toEqual({ name: 'Market stall', isExpired: true });
    const past = await createLink(app, { expiresAt: noon.toISOString() });
    expect(past).toMatchObject({ code: 'invalid_request', errors: [{ path: '/expiresAt' }] });
  });

  test('a charge of a sandbox link, but not of a live one, is the test scan of the setup guide', async ({
    app,
    service,
  }) => {
    const merchant = await seedMerchant(service);
    const charge = async (mode: Mode) => {
      const link = await seedCheckoutLink(service, merchant, { mode });
      const customer = { email: 'mei@example.com' };
      const visitor = { ipAddress: '198.51.100.7' };
      const options = { link, method: 'fps', customer, visitor, now: noon } as const;
      await chargeCheckoutLink(service, { merchant: merchant.merchant, ...options });
    };
    const readProgress = async () => {
      const query = '{ me { setupProgress { hasTestCheckout hasTestPayment } } }';
      return (await app.ask(query, { as: merchant.keys.live })).data.me.setupProgress;
    };
    await charge('live');
    expect(await readProgress()).toEqual({ hasTestCheckout: false, hasTestPayment: false });
    await charge('sandbox');
    expect(await readProgress()).toEqual({ hasTestCheckout: true, hasTestPayment: false });
  });

  test('a closed link cannot be opened', async ({ app }) => {
    const { checkoutLink } = await createLink(app);
    expect((await close(app, checkoutLink.id)).__typename).toBe('CloseCheckoutLinkSuccess');
    const opened = openCheckoutLink(app.context.service, { id: checkoutLink.id, systemNow: noon });
    await expect(opened).rejects.toMatchObject({ code: 'link_closed', status: 410 });
  });

  test('a closed link stays closed, and another merchant’s is not found', async ({ app, clock }) => {
    const { id, closedAt } = (await createLink(app)).checkoutLink;
    expect(closedAt).toBeNull();
    for (const as of [app.otherMerchant.keys.live, app.merchant.keys.sandbox])
      expect(await close(app, id, as)).toMatchObject({ code: 'checkout_link_not_found' });
    const first = await close(app, id);
    expect(first.checkoutLink.closedAt).toBe(noon.toISOString());
    clock.set(minutesAfter(noon, 1));
    expect(await close(app, id)).toEqual(first);
  });

  test.for([undefined, null])('has no usage limit by default (%s)', async (usageLimit, { app }) => {
    expect((await createLink(app, { usageLimit })).checkoutLink.usageLimit).toBeNull();
  });

  test.for([0, -1, 1_000_001])('rejects the usage limit %i', async (usageLimit, { app }) => {
    expect(await createLink(app, { usageLimit })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/usageLimit' }],
    });
  });
});

describe('Currencies and payment methods', () => {
  test('forex converts by the exchange rates of charges', async ({ app }) => {
    const { data } = await app.ask(
      '{ forex(sourceCurrency: "HKD", sourceAmount: "100", destinationCurrency: "KRW") { amount currency rate source effectiveAt } }',
    );
    expect(data.forex).toMatchObject({
      currency: 'KRW',
      amount: expect.stringMatching(/^\d+$/),
      rate: '172.6296453',
    });
    const charge = await app.ask(
      `mutation { createCharge(input: { email: "a@b.co", merchantAmount: "100", merchantCurrency: "HKD", method: toss }) {
      ... on CreateChargeSuccess { charge { customerAmount exchangeRate { rate } } } } }`,
    );
    expect(charge.data.createCharge.charge).toEqual({
      customerAmount: data.forex.amount,
      exchangeRate: { rate: data.forex.rate },
    });
  });

  test('forex reports errors with the codes of the catalog', async ({ app }) => {
    const forex = (from: string, amount: string, to: string) =>
      `{ forex(sourceCurrency: "${from}", sourceAmount: "${amount}", destinationCurrency: "${to}") { amount } }`;
    const getCode = async (query: string) => (await app.ask(query)).errors[0].extensions.code;
    expect(await getCode(forex('HKD', '1', 'XXX'))).toBe('currency_unsupported');
    expect(await getCode(forex('HKD', '1', 'XAF'))).toBe('rate_unavailable');
    expect(await getCode(forex('HKD', '0', 'USD'))).toBe('invalid_request');
  });

  test('currencies lists those with a rate, paymentMethods those with which you can be paid', async ({
    app,
  }) => {
    const { data } = await app.ask(
      '{ currencies paymentMethods { code name country currency minAmount maxAmount iconUrl } }',
    );
    expect(data.currencies).toEqual(expect.arrayContaining(['EUR', 'HKD', 'USD']));
    expect(data.paymentMethods).toHaveLength(methodCodes.length);
    expect(data.paymentMethods[0]).toEqual({
      code: 'fps',
      name: 'FPS',
      country: 'HK',
      currency: 'HKD',
      minAmount: '0.01',
      maxAmount: '1000000.00',
      iconUrl: 'http://127.0.0.1:4000/icons/methods/fps.svg',
    });
  });
});
