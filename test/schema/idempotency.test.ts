import { describe, expect } from 'vitest';
import { getRootFieldOptions } from '../../schema/kit/root-field-options.ts';
import { schema } from '../../schema/schema.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { pruneIdempotencyKeys } from '../../src/domain/platform/idempotency/prune-idempotency-keys.ts';
import { fakeTimeGraphqlTest as test } from '../setup/app-fixtures.ts';
import { count, isLongRun } from '../setup/counts.ts';
import type { AskOptions, GraphqlApp } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { readStoredResponse, withNamedLock } from '../setup/idempotency.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';

const failure = '... on UserError { __typename code message }';
const createCharge = `mutation ($input: CreateChargeInput!) {
  createCharge(input: $input) {
    ... on CreateChargeSuccess {
      isDuplicate cancelToken
      charge { id status merchantAmount customer { id email } refunds { id } destination { paymentReference } orders { name } }
    }
    ${failure}
  }
}`;
const createSession = `mutation Once($input: CreateSessionInput!) {
  created: createSession(input: $input) { ... on CreateSessionSuccess { session { id amount } } ${failure} } }`;
const cancelCharge = `mutation ($id: ID!) {
  cancelCharge(input: { id: $id }) { ... on CancelChargeSuccess { charge { id status } } ${failure} } }`;
const createRefund = `mutation ($input: CreateRefundInput!) {
  createRefund(input: $input) { ... on CreateRefundSuccess { refund { id } } ${failure} } }`;
const createWebhook = `mutation ($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    ... on CreateWebhookSuccess { webhook { id url } pass: password ...Signed } ${failure} } }
  fragment Signed on CreateWebhookSuccess { signingSecret }`;

const terms = { merchantAmount: '10', merchantCurrency: 'HKD', method: 'fps' };
const chargeInput = (email: string) => ({ email, ...terms });
const sessionInput = (amount = '10') => ({ amount, currency: 'HKD' });

/** Sends an operation with a key, and returns whether the response is a replay. */
async function askWithKey(
  app: GraphqlApp,
  key: string,
  query: string,
  variables: object,
  options: AskOptions = {},
) {
  const response = await app.ask(query, { ...options, variables, headers: { 'idempotency-key': key } });
  return { ...response, isReplay: response.headers.get('idempotent-replayed') === 'true' };
}

describe('a mutation with an Idempotency-Key', () => {
  test('replays the whole first response for any order of the variables', async ({ app }) => {
    const input = chargeInput('once@example.com');
    const first = await askWithKey(app, 'whole', createCharge, { input });
    const reversed = Object.fromEntries(Object.entries(input).reverse());
    const repeated = await askWithKey(app, 'whole', createCharge, { input: reversed });
    expect(first.data.createCharge).toMatchObject({
      isDuplicate: false,
      charge: {
        status: 'pending',
        merchantAmount: '10.00',
        customer: { email: 'once@example.com' },
        refunds: [],
      },
    });
    expect([repeated.status, repeated.data, repeated.errors]).toEqual([200, first.data, undefined]);
    expect([first.isReplay, repeated.isReplay]).toEqual([false, true]);
    const { id } = first.data.createCharge.charge;
    expect(await app.context.service.prisma.event.count({ where: { objectId: id } })).toBe(1);
  });

  test('replays the state of the first response after the object has changed', async ({ app }) => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'state@example.com' },
    });
    const first = await askWithKey(app, 'state', cancelCharge, { id });
    const repeated = await askWithKey(app, 'state', cancelCharge, { id });
    expect(first.data.cancelCharge.charge).toEqual({ id, status: 'cancelled' });
    expect(repeated.data).toEqual(first.data);
    expect((await app.ask(cancelCharge, { variables: { id } })).data.cancelCharge.code).toBe(
      'charge_not_pending',
    );
  });

  test('creates one session for many concurrent requests', async ({ app }) => {
    const variables = { input: { ...sessionInput('33'), notifyPayload: 'race' } };
    const rounds = Array.from({ length: count(10, 50) }, () =>
      askWithKey(app, 'race', createSession, variables),
    );
    const responses = await Promise.all(rounds);
    expect(new Set(responses.map(({ data }) => data.created.session.id)).size).toBe(1);
    expect(responses.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(await app.context.service.prisma.checkoutSession.count({ where: { notifyPayload: 'race' } })).toBe(
      1,
    );
  });

  test.for([
    ['variables', createSession, { input: sessionInput('11') }],
    ['document', `${createSession} `, { input: sessionInput() }],
  ] as const)(
    'is rejected in the result union if it is reused with another %s',
    async ([name, query, variables], { app }) => {
      await askWithKey(app, `other ${name}`, createSession, { input: sessionInput() });
      const { data, isReplay } = await askWithKey(app, `other ${name}`, query, variables);
      expect(data.created).toMatchObject({
        __typename: 'UnprocessableError',
        code: 'idempotency_key_reused',
      });
      expect(isReplay).toBe(false);
    },
  );

  // The test takes 5 seconds.
  test.runIf(isLongRun)('is rejected after waiting 5 seconds for the first request', async ({ app }) => {
    const { data } = await withNamedLock(app.connectionString, `${app.merchant.merchant.id} live held`, () =>
      askWithKey(app, 'held', createSession, { input: sessionInput() }),
    );
    expect(data.created).toMatchObject({ __typename: 'ConflictError', code: 'idempotency_in_progress' });
    expect(
      (await askWithKey(app, 'held', createSession, { input: sessionInput() })).data.created.session.id,
    ).toMatch(/^ses_/);
  });

  test('can be reused with another body after a rejection', async ({ app }) => {
    const rejected = await askWithKey(app, 'again', createSession, { input: sessionInput('0') });
    expect(rejected.data.created.__typename).toBe('InvalidRequestError');
    const created = await askWithKey(app, 'again', createSession, { input: sessionInput() });
    expect([created.isReplay, created.data.created.session.amount]).toEqual([false, '10.00']);
  });

  test('rolls back the mutation if a field of the response is denied', async ({ app }) => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'undone@example.com' },
    });
    const token = { token: createClientToken(app.context.service.secrets, { id, mode: 'live' }) };
    const query = cancelCharge.replace('{ id status }', '{ id status email }');
    const { data, errors } = await askWithKey(app, 'undone', query, { id }, { as: token });
    expect([data, errors[0].extensions.code]).toEqual([null, 'permission_denied']);
    const { data: after } = await app.ask(`{ charge(id: "${id}") { status } }`);
    expect(after.charge.status).toBe('pending');
    expect(await app.context.service.prisma.idempotencyKey.count({ where: { key: 'undone' } })).toBe(0);
  });

  test.for(['', 'x'.repeat(256)])('has 1 to 255 characters', async (key, { app }) => {
    const { status, errors } = await askWithKey(app, key, createSession, { input: sessionInput() });
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });

  test('is rejected for several fields', async ({ app }) => {
    const selection =
      'createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { session { id } } }';
    for (const query of [
      `mutation { a: ${selection} b: ${selection} }`,
      `mutation { ...F } fragment F on Mutation { ${selection} }`,
    ]) {
      const { data, errors } = await askWithKey(app, 'fields', query, {});
      expect([data, errors[0].extensions.code]).toEqual([undefined, 'invalid_request']);
    }
  });

  test('belongs to one merchant and mode', async ({ app }) => {
    const variables = { input: sessionInput() };
    const responses = [
      await askWithKey(app, 'scoped', createSession, variables),
      await askWithKey(app, 'scoped', createSession, variables, { as: app.merchant.keys.sandbox }),
      await askWithKey(app, 'scoped', createSession, variables, { as: app.otherMerchant.keys.live }),
    ];
    expect(new Set(responses.map(({ data }) => data.created.session.id)).size).toBe(3);
  });

  test('replays no response to a caller with other permissions', async ({ app }) => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'rights@example.com' },
    });
    const other = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'else@example.com' },
    });
    await askWithKey(app, 'rights', cancelCharge, { id });
    const codes = ['charge_not_pending', 'charge_not_found'];
    for (const [i, charge] of [id, other.id].entries()) {
      const as = { token: createClientToken(app.context.service.secrets, { id: charge, mode: 'live' }) };
      const { data, isReplay } = await askWithKey(app, 'rights', cancelCharge, { id }, { as });
      expect([data.cancelCharge.code, isReplay]).toEqual([codes[i], false]);
    }
  });

  test('of a client token does not occupy a key of the merchant', async ({ app }) => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'client-token@example.com' },
    });
    const as = { token: createClientToken(app.context.service.secrets, { id, mode: 'live' }) };
    const first = await askWithKey(app, 'order-4711', cancelCharge, { id }, { as });
    expect(first.data.cancelCharge.code).toBeUndefined();
    expect((await askWithKey(app, 'order-4711', cancelCharge, { id }, { as })).isReplay).toBe(true);
    const { data } = await askWithKey(app, 'order-4711', createSession, { input: sessionInput() });
    expect(data.created.session.id).toMatch(/^ses_/);
  });

  test('is stored encrypted for 24 hours, that of a refund for 30 days', async ({ app, clock }) => {
    const as = app.merchant.keys.sandbox;
    const charge = await seedCompletedCharge(app.context.service, app.merchant, { now: noon });
    const refund = { input: { chargeId: charge.id, customerAmount: '1' } };
    const session = { input: sessionInput() };
    const first = [
      await askWithKey(app, 'stored', createSession, session),
      await askWithKey(app, 'refund', createRefund, refund, { as }),
    ];
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({
      where: { key: 'stored' },
    });
    expect(row.responseEncrypted).not.toContain(first[0]!.data.created.session.id);
    clock.set(minutesAfter(noon, 24 * 60));
    await pruneIdempotencyKeys(app.context.service, { now: clock.now() });
    const repeated = [
      await askWithKey(app, 'stored', createSession, session),
      await askWithKey(app, 'refund', createRefund, refund, { as }),
    ];
    clock.set(noon);
    expect(repeated.map(({ isReplay }) => isReplay)).toEqual([false, true]);
    expect(repeated[1]!.data).toEqual(first[1]!.data);
  });
});

describe('secrets that are shown once', () => {
  test('are omitted from a replay and not stored', async ({ app }) => {
    const variables = { input: { url: 'https://shop.example/hook', username: 'shop', isSigned: true } };
    const first = await askWithKey(app, 'secret', createWebhook, variables);
    const repeated = await askWithKey(app, 'secret', createWebhook, variables);
    const { pass, signingSecret, webhook } = first.data.createWebhook;
    expect([pass, signingSecret]).toEqual([expect.stringMatching(/.{20}/), expect.stringMatching(/^whsec_/)]);
    expect(repeated.data.createWebhook).toEqual({ webhook, pass: null, signingSecret: null });
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({
      where: { key: 'secret' },
    });
    const stored = await readStoredResponse(app.context.service, row);
    expect([stored.includes(pass), stored.includes(signingSecret)]).toEqual([false, false]);
  });

  test('are omitted for an API key that a signed-in user created', async ({ app }) => {
    const owner = await signInAs('owner', app, app.merchant);
    const query = `mutation { createApiKey(input: { name: "Till", kind: secret }) { ... on CreateApiKeySuccess { apiKey { id } secret } ${failure} } }`;
    const headers = { 'idempotency-key': 'api key' };
    const first = await owner.ask(query, { headers });
    const repeated = await owner.ask(query, { headers });
    expect(first.data.createApiKey.secret).toMatch(/^cs_live_/);
    expect(repeated.data.createApiKey).toEqual({ ...first.data.createApiKey, secret: null });
    expect(repeated.response.headers['idempotent-replayed']).toBe('true');
    const another = await (await signInAs('owner', app, app.merchant)).ask(query, { headers });
    expect(another.data.createApiKey.code).toBe('idempotency_key_reused');
  });

  test('are all marked as secret', () => {
    // No response of the others is stored.
    const stored = Object.values(schema.getMutationType()!.getFields()).filter(
      ({ extensions }) => !getRootFieldOptions(extensions).ignoresIdempotencyKey,
    );
    const results = stored.map(
      ({ name }) => schema.getType(`${name[0]!.toUpperCase()}${name.slice(1)}Success`)!,
    );
    const secrets = results.flatMap((type) =>
      'getFields' in type
        ? Object.values(type.getFields()).filter(({ name }) => /secret$|password/i.test(name))
        : [],
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(
      secrets.filter(({ extensions, type }) => !extensions.isSecret || String(type).endsWith('!')),
    ).toEqual([]);
  });
});

test('a wrong one-time password is counted although a rejected mutation with a key is rolled back', async ({
  app,
}) => {
  const { service } = app.context;
  const phone = { code: '+852', phone: '51234567' };
  const { merchant } = app.merchant;
  await requestPhoneVerification(service, { merchant, mode: 'sandbox', input: { phone }, now: noon });
  const query = `mutation ($input: VerifyPhoneInput!) { verifyPhone(input: $input) { ${failure} } }`;
  const variables = { input: { phone, code: 'wrong' } };
  const { data } = await askWithKey(app, 'guess', query, variables, { as: app.merchant.keys.sandbox });
  expect(data.verifyPhone.code).toBe('verification_code_invalid');
  const row = await service.prisma.phoneVerification.findFirstOrThrow({ where: { merchantId: merchant.id } });
  expect(row.attemptCount).toBe(1);
});

describe('More concurrent mutations with keys than the pool has connections', () => {
  const askConcurrently = async (
    app: GraphqlApp,
    name: string,
    query: string,
    toVariables: (n: number) => object,
  ): Promise<unknown[]> => {
    const total = 2 * app.context.service.pool.options.max;
    const ask = (n: number) =>
      askWithKey(app, `${name} ${n}`, query, toVariables(n), { as: app.merchant.keys.sandbox });
    const answers = await Promise.all(Array.from({ length: total }, (_, n) => ask(n)));
    return [...new Set(answers.map(({ data }) => JSON.stringify(data)))].map((text) => JSON.parse(text));
  };

  test('verify one-time passwords without another connection of the pool', async ({ app }) => {
    const query =
      'mutation ($input: VerifyPhoneInput!) { verifyPhone(input: $input) { ... on UserError { code } } }';
    const input = { phone: { code: '+852', phone: '51234567' }, code: 'wrong' };
    const answers = await askConcurrently(app, 'guess', query, () => ({ input }));
    expect(answers).toEqual([{ verifyPhone: { code: 'verification_code_invalid' } }]);
  });

  test('read the totals of customers without another connection of the pool', async ({ app }) => {
    const query = `mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
      ... on CreateChargeSuccess { charge { customer { totals { currency } } } } ... on UserError { code } } }`;
    const toVariables = (n: number) => ({ input: chargeInput(`n${n}@example.com`) });
    const answers = await askConcurrently(app, 'totals', query, toVariables);
    expect(answers).toEqual([{ createCharge: { charge: { customer: { totals: [] } } } }]);
  });
});

test('every mutation accepts a key', async ({ app }) => {
  const owner = await signInAs('owner', app, app.merchant);
  const fields = Object.values(schema.getMutationType()!.getFields()).filter(
    ({ name }) => !/^sign/.test(name),
  );
  for (const { name, args } of fields) {
    const input = args.map((arg) => `(${arg.name}: ${sampleInput(arg.type)})`).join('');
    const query = `mutation { ${name}${input} { __typename ... on UserError { code } } }`;
    const { errors } = await owner.ask(query, { headers: { 'idempotency-key': name } });
    expect([name, errors]).toEqual([name, undefined]);
  }
});

test('a transfer is recorded and matched once', async ({ app }) => {
  const as = app.merchant.keys.sandbox;
  const input = { email: 'paid@example.com' };
  const { id } = await seedCharge(app.context.service, app.merchant, { mode: 'sandbox', input, now: noon });
  const query = `mutation ($input: SimulateTransferInput!) {
    simulateTransfer(input: $input) { ... on SimulateTransferSuccess { __typename } ${failure} } }`;
  const variables = { input: { chargeId: id, kind: 'exact' } };
  const first = await askWithKey(app, 'simulated', query, variables, { as });
  const repeated = await askWithKey(app, 'simulated', query, variables, { as });
  expect([first.isReplay, repeated.isReplay]).toEqual([false, true]);
  expect(first.data.simulateTransfer.__typename).toBe('SimulateTransferSuccess');
  const { service } = app.context;
  expect(await service.prisma.allocation.count({ where: { chargeId: id } })).toBe(1);
  expect((await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status).toBe('completed');
});

test('a query ignores a key', async ({ app }) => {
  const { data, isReplay } = await askWithKey(app, 'query', '{ me { name } }', {});
  expect([data.me.name, isReplay]).toEqual(['Harbour Teas', false]);
});
