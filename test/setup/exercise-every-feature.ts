import { createHmac } from 'node:crypto';
import type { Charge } from '../../prisma/client/client.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { foldChargeCounts } from '../../src/domain/payments/charge-list/fold-charge-counts.ts';
import { chargeCheckoutLink } from '../../src/domain/payments/checkout-link/charge-checkout-link.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { buildExports } from '../../src/domain/payouts/export/build-exports.ts';
import { forEachClock } from '../../src/domain/platform/clock/for-each-clock.ts';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import { pruneEvents } from '../../src/event/prune-events.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { callApi } from './api.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { exerciseTeamFeatures } from './exercise-team-features.ts';
import type { FakeClock } from './fake-clock.ts';
import { feedSenders } from './feed-senders.ts';
import { bankAccount, reportPayment, sendDelivery } from './feeds.ts';
import { type GraphqlApp, type Json, mutate } from './graphql.ts';
import { importFile } from './import-file.ts';
import { readContent } from './messages.ts';
import { createPicture } from './pictures.ts';
import { respondWith, startReceiver } from './receiver.ts';
import { seedCharge } from './seed.ts';
import { password } from './sign-in.ts';
import { csvMapping } from './statement-files.ts';
import { seedActiveSubscription } from './subscriptions.ts';
import { payCharge } from './transfers.ts';

/** A customer with values that occur nowhere else. */
export const seededCustomer = {
  email: 'Zebedee.Quill@example.com',
  phone: { code: '+852', phone: '61234987' },
  e164: '+85261234987',
  firstName: 'Zebedee',
  lastName: 'Quillfeather',
};

/** `secrets` are all secrets that were created or entered, by name. */
type SeededFeatures = { secrets: Record<string, string>; customerId: string; charge: Charge };

/**
 * Uses every feature once, so that each table has a row and each encrypted column a value. Only the rows of moves are
 * inserted directly; the others are created by APIs, operations and jobs, so that all invariants hold. Advances the
 * clock.
 */
export async function exerciseEveryFeature(app: GraphqlApp, clock: FakeClock): Promise<SeededFeatures> {
  const { live } = app.merchant.keys;
  const secrets: Record<string, string> = {
    'API secret': live.apiSecret,
    'sandbox secret': app.merchant.keys.sandbox.apiSecret,
    'first password': app.merchant.password,
    'password of users': password,
  };
  Object.assign(secrets, await exerciseTeamFeatures(app, clock));
  const { secrets: featureSecrets, ...seeded } = await exerciseLiveMode(app, clock);
  const logo = createPicture({ width: 40, height: 40 }).toString('base64');
  await mutate(app, 'updateMerchantSettings', { logo });
  await seedMoveRows(app, clock.now());
  await foldChargeCounts(app.context.service);
  await pruneEvents(app.context.service, { now: clock.now() });
  return { secrets: { ...secrets, ...featureSecrets }, ...seeded };
}

/** Uses the features that are separate for each mode, in live mode. Advances the clock. */
export async function exerciseLiveMode(app: GraphqlApp, clock: FakeClock): Promise<SeededFeatures> {
  const secrets: Record<string, string> = await exerciseWebhooks(app, clock);
  const { verified, ...phoneSecrets } = await exercisePhoneVerification(app);
  Object.assign(secrets, phoneSecrets);
  const charge = await exercisePayments(app, clock, verified);
  await exerciseStatementsAndExports(app, clock, charge);
  Object.assign(secrets, await exerciseBankFeeds(app, clock, charge));
  return { secrets, customerId: charge.customerId, charge };
}

/**
 * Creates two signed webhooks, rotates the secret of one, and lets their notifications fail until the merchant is
 * alerted. Returns the secrets by name.
 */
async function exerciseWebhooks(app: GraphqlApp, clock: FakeClock): Promise<Record<string, string>> {
  const { service } = app.context;
  await using receiver = await startReceiver(respondWith(500));
  const webhook = 'webhook { id } password signingSecret';
  const input = { username: 'shop', notificationVersion: 'v1_0', isSigned: true };
  const created = await mutate(
    app,
    'createWebhook',
    { ...input, url: `${receiver.url}/hooks`, password: 'open sesame street' },
    webhook,
  );
  const rotated = await mutate(app, 'rotateWebhookSecret', { id: created.webhook.id }, 'signingSecret');
  const otherWebhook = await mutate(app, 'createWebhook', { ...input, url: `${receiver.url}/own` }, webhook);
  await app.ask(
    `mutation { sendTestNotification(input: { webhookId: "${created.webhook.id}" }) { __typename } }`,
  );
  const first = { input: { email: 'first@example.com' }, now: clock.now() };
  const charge = await seedCharge(service, app.merchant, first);
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  await relayEvents(service, { now: clock.now() });
  for (const minutes of [0, 1, 10, 60, 180]) {
    clock.advance(minutes * minuteMs);
    await deliverNotifications(service, { clock });
  }
  return {
    'webhook password': 'open sesame street',
    'generated webhook password': otherWebhook.password,
    'signing secret': rotated.signingSecret,
    'previous signing secret': created.signingSecret,
  };
}

/** The function posts with the merchant’s keys, and throws unless the request succeeds. */
function createPoster({ app, merchant }: GraphqlApp) {
  return async (url: string, body: object, headers: Record<string, string> = {}): Promise<Json> => {
    const response = await callApi(app, { method: 'POST', url, keys: merchant.keys.live, body, headers });
    if (response.status > 201) throw new Error(`${url}: ${JSON.stringify(response.json)}`);
    return response.json;
  };
}

/** Requests two codes and enters one. Returns the secrets by name, and the verification code. */
async function exercisePhoneVerification(
  app: GraphqlApp,
): Promise<Record<string, string> & { verified: string }> {
  const post = createPoster(app);
  const readCodeSentTo = async (to: string) => {
    const { prisma, secrets } = app.context.service;
    const where = { kind: 'phone-code', recipient: to };
    const sms = await prisma.message.findFirstOrThrow({ where, orderBy: { id: 'desc' } });
    return /\d{6}/.exec((await readContent({ secrets }, sms)).text)![0];
  };
  await post('/customers/phone/verification', { phone: seededCustomer.phone });
  const code = await readCodeSentTo(seededCustomer.e164);
  const { verificationCode } = await post('/customers/phone/verify', { phone: seededCustomer.phone, code });
  await post('/customers/phone/verification', { phone: { code: '+852', phone: '61234988' } });
  return {
    'phone code': `${code} is your code`,
    'verification code': verificationCode,
    verified: verificationCode,
  };
}

/**
 * Creates and pays charges, and creates refunds, sessions, links and a subscription with its invoice. Returns the paid
 * charge.
 */
async function exercisePayments(
  app: GraphqlApp,
  clock: FakeClock,
  verificationCode: string,
): Promise<Charge> {
  const { service } = app.context;
  const { live } = app.merchant.keys;
  const post = createPoster(app);
  const { firstName, lastName, email } = seededCustomer;
  const customer = { email, phone: seededCustomer.phone, firstName, lastName };
  const chargeInput = {
    merchantAmount: 128.5,
    merchantCurrency: 'HKD',
    method: 'fps',
    orders: [{ name: 'Tea' }],
  };
  const { id } = await post('/charges', { ...chargeInput, email }, { 'idempotency-key': 'walk charge' });
  await post('/charges', { ...chargeInput, verificationCode });
  await post('/sessions', { amount: 5, currency: 'HKD', customer });
  await exerciseSession(app, clock, (await post('/sessions', { amount: 6, currency: 'HKD', customer })).id);
  await post('/checkout-link', { amount: 5, currency: 'HKD', customer, apiKey: live.publishableKey });
  await chargeCheckoutLink(service, {
    ...{
      merchant: app.merchant.merchant,
      link: await service.prisma.checkoutLink.findFirstOrThrow({ where: { mode: 'live' } }),
    },
    ...{ method: 'fps', customer: { email }, visitor: { ipAddress: '203.0.113.77' }, now: clock.now() },
  });
  const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id } });
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  const accountName = `${firstName} ${lastName}`;
  const bankAccount = { bank: '004', account: '12345678', accountName };
  const alias = { scheme: 'fps', account: seededCustomer.e164, accountName };
  for (const stage of ['open', 'processing', 'completed']) {
    const refund = await post(
      '/refunds',
      { chargeId: id, customerAmount: 1 },
      { 'idempotency-key': `walk refund ${stage}` },
    );
    if (stage === 'open') continue;
    const { merchant } = app.merchant;
    const payout = stage === 'completed' ? alias : bankAccount;
    await mutate(app, 'submitRefundDetails', { id: refund.id, ...payout });
    const refundContext = {
      merchantId: merchant.id,
      mode: 'live',
      actor: 'user:test',
      now: clock.now(),
    } as const;
    if (stage === 'completed') await completeRefund(service, { ...refundContext, id: refund.id });
  }
  const { planId } = await seedActiveSubscription(service, app.merchant, { email, now: clock.now() });
  await post('/subscription-link', { subscriptionPlanId: planId, customer });
  const phone = { code: '852', phone: seededCustomer.phone.phone };
  await mutate(app, 'enrol', { subscriptionPlanId: planId, method: 'fps', customer: { ...customer, phone } });
  clock.advance(30 * dayMs);
  await forEachClock(service, clock.now(), (time) => renewSubscriptions(service, time));
  await relayEvents(service, { now: clock.now() });
  return service.prisma.charge.findUniqueOrThrow({ where: { id } });
}

/** Claims a session as the customer’s browser does, and enters name and phone. */
async function exerciseSession(app: GraphqlApp, clock: FakeClock, id: string): Promise<void> {
  const { service } = app.context;
  const browserToken = 'the browser of the walk';
  const { session } = await claimSession(service, { id, browserToken, canTakeOver: false, now: clock.now() });
  const { merchant } = app.merchant;
  const { email, e164, firstName, lastName } = seededCustomer;
  const customer = { email, phone: e164, firstName, lastName };
  await chargeSession(service, {
    merchant,
    session,
    browserToken,
    method: 'fps',
    customer,
    now: clock.now(),
  });
}

/** Creates a feed, and sends it a payment of the customer, a delivery that is rejected, and one that cannot be read. */
async function exerciseBankFeeds(
  app: GraphqlApp,
  clock: FakeClock,
  charge: Charge,
): Promise<Record<string, string>> {
  const sender = 'Airwallex';
  const { receivingAccountId } = charge;
  const credentials = { secret: 'the secret of the walk’s bank' };
  const { bankFeed } = await mutate(
    app,
    'createBankFeed',
    {
      ...{ kind: 'airwallex', credentials, allowedAddresses: ['127.0.0.1'] },
      receivingAccounts: [{ receivingAccountId, bankAccount }],
    },
    'bankFeed { id }',
  );
  const payerName = `${seededCustomer.firstName} ${seededCustomer.lastName}`;
  const report = reportPayment(feedSenders[sender]!, charge, { id: 'walk', payerName, paidAt: clock.now() });
  const time = String(clock.now().getTime());
  for (const [body, secret, status] of [
    [report, credentials.secret, 200],
    ['[]', 'another secret', 401],
    ['not JSON', credentials.secret, 200],
  ] as const) {
    const signature = createHmac('sha256', secret).update(`${time}${body}`).digest('hex');
    const headers = { 'x-timestamp': time, 'x-signature': signature };
    const answer = await sendDelivery(app, bankFeed, { sender, body, headers });
    if (answer.status !== status) throw new Error(JSON.stringify(answer.body));
  }
  return { 'secret of a bank feed': credentials.secret };
}

/** Imports a statement with a mapping and exchange rates, and creates an export. */
async function exerciseStatementsAndExports(
  app: GraphqlApp,
  clock: FakeClock,
  charge: Charge,
): Promise<void> {
  const { service } = app.context;
  const { receivingAccountId } = charge;
  const date = clock.now().toISOString().slice(0, 10);
  const payer = `${seededCustomer.firstName} ${seededCustomer.lastName},024-388-123456`;
  const content = `Date,Amount,Text,Payer,Account\n${date},77.00,no reference,${payer}\n`;
  const mapping = csvMapping({
    referenceColumns: ['Text'],
    payerNameColumn: 'Payer',
    payerAccountColumn: 'Account',
  });
  await mutate(app, 'updateStatementMapping', { receivingAccountId, mapping });
  await importFile(service, app.merchant, { content, receivingAccountId, mapping, now: clock.now() });
  await importRates(service, {
    text: JSON.stringify({ base: 'EUR', date, rates: { HKD: 9.2, USD: 1.16 } }),
    source: 'walk',
    now: clock.now(),
  });
  await mutate(app, 'createExport', { kind: 'charges' });
  await buildExports(service, { clock });
}

/** Inserts the rows that remain after a move from another installation, and the code of a move that has not begun. */
async function seedMoveRows({ context: { service }, merchant }: GraphqlApp, now: Date): Promise<void> {
  const { prisma, secrets } = service;
  const { id: merchantId } = merchant.merchant;
  const id = 'olddatakey00';
  const keysEncrypted = secrets.encrypt('{}', 'imported_signing_key.keys_encrypted', [merchantId, id]);
  await prisma.importedSigningKey.create({ data: { id, merchantId, keysEncrypted, createdAt: now } });
  const moveCodeEncrypted = secrets.encrypt('the code', 'merchant.move_code_encrypted', merchantId);
  await prisma.merchant.update({ where: { id: merchantId }, data: { moveCodeEncrypted } });
}
