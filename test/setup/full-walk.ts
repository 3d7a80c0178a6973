import type { Charge } from '../../prisma/client/client.ts';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
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
import type { TestClock } from './clock.ts';
import { csvMapping } from './csv-mapping.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { type GraphqlApp, type Json, mutate } from './graphql.ts';
import { importFile } from './import-file.ts';
import { makeCharge } from './makers.ts';
import { readContent } from './messages.ts';
import { answering, startReceiver } from './receiver.ts';
import { password, signedInAs } from './sign-in.ts';
import { makeActiveSubscription } from './subscriptions.ts';
import { payCharge } from './transfers.ts';
import { acceptInvitation, appCode, invite, linkToken, turnOnSecondFactor } from './users.ts';
import { makeVisitor, mutateAsPage } from './visitor.ts';

/** The customer of the walk, by words that stand for nobody else. */
export const zeb = {
  email: 'Zebedee.Quill@example.com',
  phone: { code: '+852', phone: '61234987' },
  e164: '+85261234987',
  firstName: 'Zebedee',
  lastName: 'Quillfeather',
};

/** All secrets that were given out or entered in the walk, by what they are. */
export type Walk = { secrets: Record<string, string>; customerId: string; charge: Charge };

/**
 * Uses every feature once, so that every table has a row and every encrypted column a value, by the doors that users have
 * and the work of the jobs; the clock is moved on. Nothing is written past the domain: all promises of `check` hold.
 */
export async function fullWalk(app: GraphqlApp, clock: TestClock): Promise<Walk> {
  const { live } = app.merchant.keys;
  const secrets: Record<string, string> = {
    'API secret': live.apiSecret,
    'sandbox secret': app.merchant.keys.sandbox.apiSecret,
    'first password': app.merchant.password,
    'password of users': password,
  };
  Object.assign(secrets, await people(app, clock));
  Object.assign(secrets, await endpoints(app, clock));
  const { verified, ...codes } = await phone(app);
  Object.assign(secrets, codes);
  const charge = await selling(app, clock, verified);
  await paperwork(app, clock, charge);
  await foldChargeCounts(app.context.service);
  await pruneEvents(app.context.service, { now: clock.now() });
  return { secrets, customerId: charge.customerId, charge };
}

/** Two steps, a step begun, recovery codes, a reset that was answered and one that was not, invitations. */
async function people(app: GraphqlApp, clock: TestClock): Promise<Record<string, string>> {
  const { service } = app.context;
  const owner = await signedInAs('owner', app, app.merchant);
  const factor = await turnOnSecondFactor(owner, { password, clock });
  await mutate(owner, 'reauthenticate', { code: appCode(factor.secret, clock.now(), 1) });
  const developer = await signedInAs('developer', app, app.merchant);
  const begun = await mutate(developer, 'beginTwoFactorSetup', { password }, 'secret');
  await mutateAsPage(makeVisitor(app.app), 'requestPasswordReset', { email: developer.email });
  await processResetRequests(service, { now: clock.now() });
  await mutateAsPage(makeVisitor(app.app), 'requestPasswordReset', { email: owner.email });
  const { email } = await invite(owner);
  const token = await linkToken(service, email, 'invitation');
  const joined = await invite(owner);
  const joinedToken = await linkToken(service, joined.email, 'invitation');
  await acceptInvitation(makeVisitor(app.app), joinedToken, { password: 'a password of the newest user' });
  const till = { kind: 'secret', name: 'Till', permissions: ['read'] };
  const { secret } = await mutate(owner, 'createApiKey', till, 'secret');
  return {
    'two-step secret': factor.secret,
    'two-step secret begun': begun.secret,
    'recovery code': factor.recoveryCodes[0]!,
    'session cookie': owner.cookie()!.split('=')[1]!,
    'reset link': await linkToken(service, developer.email, 'password-reset'),
    'invitation link': token,
    'accepted invitation link': joinedToken,
    'password of an invited user': 'a password of the newest user',
    'secret of a key': secret,
  };
}

/** A webhook that signs, with the secret before; one that fails until the merchant is told. */
async function endpoints(app: GraphqlApp, clock: TestClock): Promise<Record<string, string>> {
  const { service } = app.context;
  await using receiver = await startReceiver(answering(500));
  const webhook = 'webhook { id } password signingSecret';
  const input = { username: 'shop', notificationVersion: '1.0', isSigned: true };
  const made = await mutate(
    app,
    'createWebhook',
    { ...input, url: `${receiver.url}/hooks`, password: 'open sesame street' },
    webhook,
  );
  const rotated = await mutate(app, 'rotateWebhookSecret', { id: made.webhook.id }, 'signingSecret');
  const given = await mutate(app, 'createWebhook', { ...input, url: `${receiver.url}/own` }, webhook);
  await app.ask(
    `mutation { sendTestNotification(input: { webhookId: "${made.webhook.id}" }) { __typename } }`,
  );
  const first = { input: { email: 'first@example.com' }, now: clock.now() };
  const charge = await makeCharge(service, app.merchant, first);
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  await relayEvents(service, { now: clock.now() });
  for (const minutes of [0, 1, 10, 60, 180]) {
    clock.pass(minutes * minuteMs);
    await deliverNotifications(service, { clock });
  }
  return {
    'webhook password': 'open sesame street',
    'webhook password made': given.password,
    'signing secret': rotated.signingSecret,
    'signing secret before': made.signingSecret,
  };
}

/** Posts with the merchant's keys; anything but success is thrown. */
function posting({ app, merchant }: GraphqlApp) {
  return async (url: string, body: object, headers: Record<string, string> = {}): Promise<Json> => {
    const answer = await callApi(app, { method: 'POST', url, keys: merchant.keys.live, body, headers });
    if (answer.status > 201) throw new Error(`${url}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  };
}

/** A code that was entered, and one that was not. */
async function phone(app: GraphqlApp): Promise<Record<string, string> & { verified: string }> {
  const post = posting(app);
  const codeTo = async (to: string) => {
    const { prisma, secrets } = app.context.service;
    const sms = await prisma.message.findFirstOrThrow({ where: { kind: 'phone-code', recipient: to } });
    return /\d{6}/.exec((await readContent({ secrets }, sms)).text)![0];
  };
  await post('/customers/phone/verification', { phone: zeb.phone });
  const code = await codeTo(zeb.e164);
  const { verificationCode } = await post('/customers/phone/verify', { phone: zeb.phone, code });
  await post('/customers/phone/verification', { phone: { code: '+852', phone: '61234988' } });
  return {
    'phone code': `${code} is your code`,
    'verification code': verificationCode,
    verified: verificationCode,
  };
}

/** A charge for the phone, paid and given back; a session, a link, a subscription with its invoice. */
async function selling(app: GraphqlApp, clock: TestClock, verificationCode: string): Promise<Charge> {
  const { service } = app.context;
  const { live } = app.merchant.keys;
  const post = posting(app);
  const { firstName, lastName, email } = zeb;
  const customer = { email, phone: zeb.phone, firstName, lastName };
  const terms = { merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps', orders: [{ name: 'Tea' }] };
  const { id } = await post('/charges', { ...terms, email }, { 'idempotency-key': 'walk charge' });
  await post('/charges', { ...terms, verificationCode });
  await post('/sessions', { amount: 5, currency: 'HKD', customer });
  await payBySession(app, clock, (await post('/sessions', { amount: 6, currency: 'HKD', customer })).id);
  await post('/checkout-link', { amount: 5, currency: 'HKD', customer, apiKey: live.publishableKey });
  await chargeCheckoutLink(service, {
    ...{ merchant: app.merchant.merchant, link: await service.prisma.checkoutLink.findFirstOrThrow() },
    ...{ method: 'fps', customer: { email }, visitor: { address: '203.0.113.77' }, now: clock.now() },
  });
  const charge = await service.prisma.charge.findUniqueOrThrow({ where: { id } });
  await payCharge(service, app.merchant, charge, { now: clock.now() });
  const payout = { bank: '004', account: '12345678', accountName: `${firstName} ${lastName}` };
  for (const end of ['open', 'processing', 'completed']) {
    const refund = await post(
      '/refunds',
      { chargeId: id, customerAmount: 1 },
      { 'idempotency-key': `walk refund ${end}` },
    );
    if (end === 'open') continue;
    const { merchant } = app.merchant;
    await mutate(app, 'submitRefundDetails', { id: refund.id, ...payout });
    const own = { merchantId: merchant.id, mode: 'live', actor: 'user:test', now: clock.now() } as const;
    if (end === 'completed') await completeRefund(service, { ...own, id: refund.id });
  }
  const { planId } = await makeActiveSubscription(service, app.merchant, { email, now: clock.now() });
  await post('/subscription-link', { subscriptionPlanId: planId, customer });
  const phone = { code: '852', phone: zeb.phone.phone };
  await mutate(app, 'enrol', { subscriptionPlanId: planId, method: 'fps', customer: { ...customer, phone } });
  clock.pass(30 * dayMs);
  await forEachClock(service, clock.now(), (time) => renewSubscriptions(service, time));
  await relayEvents(service, { now: clock.now() });
  return service.prisma.charge.findUniqueOrThrow({ where: { id } });
}

/** As the customer's browser does: it takes the session for itself, and gives name and phone. */
async function payBySession(app: GraphqlApp, clock: TestClock, id: string): Promise<void> {
  const { service } = app.context;
  const browserToken = 'the browser of the walk';
  const { session } = await claimSession(service, { id, browserToken, takeOver: false, now: clock.now() });
  const { merchant } = app.merchant;
  const { email, e164, firstName, lastName } = zeb;
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

/** A statement with a mapping, rates, an export. */
async function paperwork(app: GraphqlApp, clock: TestClock, charge: Charge): Promise<void> {
  const { service } = app.context;
  const { receivingAccountId } = charge;
  const date = clock.now().toISOString().slice(0, 10);
  const content = `Date,Amount,Text,Payer\n${date},77.00,no such word,${zeb.firstName} ${zeb.lastName}\n`;
  const mapping = csvMapping({ referenceColumns: ['Text'], payerNameColumn: 'Payer' });
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
