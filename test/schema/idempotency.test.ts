import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { idempotencyExemptions } from '../../schema/server/idempotency.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { pruneIdempotencyKeys } from '../../src/domain/platform/idempotency/prune-idempotency-keys.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count, isLongRun } from '../setup/counts.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type AskOptions, type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { sampleInput } from '../setup/graphql-values.ts';
import { readStoredResponse, withNamedLock } from '../setup/idempotency.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import {
  cancelCharge,
  createCharge,
  createRefund,
  createSession,
  createWebhook,
  failure,
} from './repeated-mutations.ts';

const onCleanup = cleanupAfterFile();

const clock = createFakeClock(noon);
let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
});

const terms = { merchantAmount: '10', merchantCurrency: 'HKD', method: 'fps' };
const chargeInput = (email: string) => ({ email, ...terms });
const sessionInput = (amount = '10') => ({ amount, currency: 'HKD' });

/** Asks with a key; tells whether the answer is a repeat. */
async function once(key: string, query: string, variables: object, options: AskOptions = {}) {
  const answer = await app.ask(query, { ...options, variables, headers: { 'idempotency-key': key } });
  return { ...answer, isReplay: answer.headers.get('idempotent-replayed') === 'true' };
}

describe('a mutation with an Idempotency-Key', () => {
  test('repeats the first answer whole, whatever the order of the variables', async () => {
    const input = chargeInput('once@example.com');
    const first = await once('whole', createCharge, { input });
    const turned = Object.fromEntries(Object.entries(input).reverse());
    const again = await once('whole', createCharge, { input: turned });
    expect(first.data.createCharge).toMatchObject({
      isDuplicate: false,
      charge: {
        status: 'pending',
        merchantAmount: '10.00',
        customer: { email: 'once@example.com' },
        refunds: [],
      },
    });
    expect([again.status, again.data, again.errors]).toEqual([200, first.data, undefined]);
    expect([first.isReplay, again.isReplay]).toEqual([false, true]);
    const { id } = first.data.createCharge.charge;
    expect(await app.context.service.prisma.event.count({ where: { objectId: id } })).toBe(1);
  });

  test('answers the state of the first time, also when the object has changed meanwhile', async () => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'state@example.com' },
    });
    const first = await once('state', cancelCharge, { id });
    const again = await once('state', cancelCharge, { id });
    expect(first.data.cancelCharge.charge).toEqual({ id, status: 'cancelled' });
    expect(again.data).toEqual(first.data);
    expect((await app.ask(cancelCharge, { variables: { id } })).data.cancelCharge.code).toBe(
      'charge_not_pending',
    );
  });

  test('makes one session of many requests at once', async () => {
    const variables = { input: { ...sessionInput('33'), notifyPayload: 'race' } };
    const rounds = Array.from({ length: count(10, 50) }, () => once('race', createSession, variables));
    const answers = await Promise.all(rounds);
    expect(new Set(answers.map(({ data }) => data.created.session.id)).size).toBe(1);
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    expect(await app.context.service.prisma.checkoutSession.count({ where: { notifyPayload: 'race' } })).toBe(
      1,
    );
  });

  test.each([
    ['variables', createSession, { input: sessionInput('11') }],
    ['document', `${createSession} `, { input: sessionInput() }],
  ])('with other %s is refused, in the result union', async (name, query, variables) => {
    await once(`other ${name}`, createSession, { input: sessionInput() });
    const { data, isReplay } = await once(`other ${name}`, query, variables);
    expect(data.created).toMatchObject({ __typename: 'UnprocessableError', code: 'idempotency_key_reused' });
    expect(isReplay).toBe(false);
  });

  // It waits for those 5 seconds.
  test.runIf(isLongRun)('is refused while the first has been running for 5 seconds', async () => {
    const { data } = await withNamedLock(app.connectionString, `${app.merchant.merchant.id} live held`, () =>
      once('held', createSession, { input: sessionInput() }),
    );
    expect(data.created).toMatchObject({ __typename: 'ConflictError', code: 'idempotency_in_progress' });
    expect((await once('held', createSession, { input: sessionInput() })).data.created.session.id).toMatch(
      /^ses_/,
    );
  });

  test('that was refused may be tried again, with another body too', async () => {
    const refused = await once('again', createSession, { input: sessionInput('0') });
    expect(refused.data.created.__typename).toBe('InvalidRequestError');
    const made = await once('again', createSession, { input: sessionInput() });
    expect([made.isReplay, made.data.created.session.amount]).toEqual([false, '10.00']);
  });

  test('of which something cannot be told is undone whole', async () => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'undone@example.com' },
    });
    const token = { token: createClientToken(app.context.service.secrets, { id, mode: 'live' }) };
    const query = cancelCharge.replace('{ id status }', '{ id status email }');
    const { data, errors } = await once('undone', query, { id }, { as: token });
    expect([data, errors[0].extensions.code]).toEqual([null, 'permission_denied']);
    const { data: after } = await app.ask(`{ charge(id: "${id}") { status } }`);
    expect(after.charge.status).toBe('pending');
    expect(await app.context.service.prisma.idempotencyKey.count({ where: { key: 'undone' } })).toBe(0);
  });

  test.each(['', 'x'.repeat(256)])('has 1 to 255 characters', async (key) => {
    const { status, errors } = await once(key, createSession, { input: sessionInput() });
    expect([status, errors[0].extensions.code]).toEqual([400, 'invalid_request']);
  });

  test('has one field', async () => {
    const one =
      'createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { session { id } } }';
    for (const query of [
      `mutation { a: ${one} b: ${one} }`,
      `mutation { ...F } fragment F on Mutation { ${one} }`,
    ]) {
      const { data, errors } = await once('fields', query, {});
      expect([data, errors[0].extensions.code]).toEqual([undefined, 'invalid_request']);
    }
  });

  test('belongs to one merchant and mode', async () => {
    const variables = { input: sessionInput() };
    const answers = [
      await once('scoped', createSession, variables),
      await once('scoped', createSession, variables, { as: app.merchant.keys.sandbox }),
      await once('scoped', createSession, variables, { as: app.otherMerchant.keys.live }),
    ];
    expect(new Set(answers.map(({ data }) => data.created.session.id)).size).toBe(3);
  });

  test('gives no kept answer to whoever has other rights', async () => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'rights@example.com' },
    });
    const other = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'else@example.com' },
    });
    await once('rights', cancelCharge, { id });
    const codes = ['charge_not_pending', 'charge_not_found'];
    for (const [i, charge] of [id, other.id].entries()) {
      const as = { token: createClientToken(app.context.service.secrets, { id: charge, mode: 'live' }) };
      const { data, isReplay } = await once('rights', cancelCharge, { id }, { as });
      expect([data.cancelCharge.code, isReplay]).toEqual([codes[i], false]);
    }
  });

  test('of a customer’s page is not one of the merchant’s: the page can take none from it', async () => {
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'taken@example.com' },
    });
    const as = { token: createClientToken(app.context.service.secrets, { id, mode: 'live' }) };
    const first = await once('order-4711', cancelCharge, { id }, { as });
    expect(first.data.cancelCharge.code).toBeUndefined();
    expect((await once('order-4711', cancelCharge, { id }, { as })).isReplay).toBe(true);
    const { data } = await once('order-4711', createSession, { input: sessionInput() });
    expect(data.created.session.id).toMatch(/^ses_/);
  });

  test('is kept for 24 hours, that of a refund for 30 days, encrypted', async () => {
    const as = app.merchant.keys.sandbox;
    const charge = await seedCompletedCharge(app.context.service, app.merchant, { now: noon });
    const refund = { input: { chargeId: charge.id, customerAmount: '1' } };
    const session = { input: sessionInput() };
    const first = [
      await once('kept', createSession, session),
      await once('refund', createRefund, refund, { as }),
    ];
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({ where: { key: 'kept' } });
    expect(row.responseEncrypted).not.toContain(first[0]!.data.created.session.id);
    clock.set(minutesAfter(noon, 24 * 60));
    await pruneIdempotencyKeys(app.context.service, { now: clock.now() });
    const again = [
      await once('kept', createSession, session),
      await once('refund', createRefund, refund, { as }),
    ];
    clock.set(noon);
    expect(again.map(({ isReplay }) => isReplay)).toEqual([false, true]);
    expect(again[1]!.data).toEqual(first[1]!.data);
  });
});

describe('secrets that are shown once', () => {
  test('are left out of a repeat, and are not kept', async () => {
    const variables = { input: { url: 'https://shop.example/hook', username: 'shop', isSigned: true } };
    const first = await once('secret', createWebhook, variables);
    const again = await once('secret', createWebhook, variables);
    const { pass, signingSecret, webhook } = first.data.createWebhook;
    expect([pass, signingSecret]).toEqual([expect.stringMatching(/.{20}/), expect.stringMatching(/^whsec_/)]);
    expect(again.data.createWebhook).toEqual({ webhook, pass: null, signingSecret: null });
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({
      where: { key: 'secret' },
    });
    const kept = await readStoredResponse(app.context.service, row);
    expect([kept.includes(pass), kept.includes(signingSecret)]).toEqual([false, false]);
  });

  test('of an API key too, whose owner signed in', async () => {
    const owner = await signInAs('owner', app, app.merchant);
    const query = `mutation { createApiKey(input: { name: "Till", kind: secret }) { ... on CreateApiKeySuccess { apiKey { id } secret } ${failure} } }`;
    const headers = { 'idempotency-key': 'api key' };
    const first = await owner.ask(query, { headers });
    const again = await owner.ask(query, { headers });
    expect(first.data.createApiKey.secret).toMatch(/^cs_live_/);
    expect(again.data.createApiKey).toEqual({ ...first.data.createApiKey, secret: null });
    expect(again.response.headers['idempotent-replayed']).toBe('true');
    const another = await (await signInAs('owner', app, app.merchant)).ask(query, { headers });
    expect(another.data.createApiKey.code).toBe('idempotency_key_reused');
  });

  test('are all marked as such', () => {
    // Of the others no answer is kept.
    const kept = Object.keys(schema.getMutationType()!.getFields()).filter(
      (name) => !idempotencyExemptions.has(name),
    );
    const results = kept.map((name) => schema.getType(`${name[0]!.toUpperCase()}${name.slice(1)}Success`)!);
    const secrets = results.flatMap((type) =>
      'getFields' in type
        ? Object.values(type.getFields()).filter(({ name }) => /secret$|password/i.test(name))
        : [],
    );
    expect(secrets.length).toBeGreaterThan(5);
    expect(
      secrets.filter(({ extensions, type }) => !extensions.shownOnce || String(type).endsWith('!')),
    ).toEqual([]);
  });
});

test('a wrong one-time password counts, though what is refused under a key is undone', async () => {
  const { service } = app.context;
  const phone = { code: '+852', phone: '51234567' };
  const { merchant } = app.merchant;
  await requestPhoneVerification(service, { merchant, mode: 'sandbox', input: { phone }, now: noon });
  const query = `mutation ($input: VerifyPhoneInput!) { verifyPhone(input: $input) { ${failure} } }`;
  const variables = { input: { phone, code: 'wrong' } };
  const { data } = await once('guess', query, variables, { as: app.merchant.keys.sandbox });
  expect(data.verifyPhone.code).toBe('verification_code_invalid');
  const row = await service.prisma.phoneVerification.findFirstOrThrow({ where: { merchantId: merchant.id } });
  expect(row.attemptCount).toBe(1);
});

test('every mutation takes a key: none opens a transaction of its own beside that of the answer', async () => {
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

test('a transfer is recorded and matched once', async () => {
  const as = app.merchant.keys.sandbox;
  const input = { email: 'paid@example.com' };
  const { id } = await seedCharge(app.context.service, app.merchant, { mode: 'sandbox', input, now: noon });
  const query = `mutation ($input: SimulateTransferInput!) {
    simulateTransfer(input: $input) { ... on SimulateTransferSuccess { __typename } ${failure} } }`;
  const variables = { input: { chargeId: id, kind: 'exact' } };
  const first = await once('simulated', query, variables, { as });
  const again = await once('simulated', query, variables, { as });
  expect([first.isReplay, again.isReplay]).toEqual([false, true]);
  expect(first.data.simulateTransfer.__typename).toBe('SimulateTransferSuccess');
  const { service } = app.context;
  expect(await service.prisma.allocation.count({ where: { chargeId: id } })).toBe(1);
  expect((await service.prisma.charge.findUniqueOrThrow({ where: { id } })).status).toBe('completed');
});

test('a query takes no notice of a key', async () => {
  const { data, isReplay } = await once('query', '{ me { name } }', {});
  expect([data.me.name, isReplay]).toEqual(['Harbour Teas', false]);
});
