import { expect } from 'vitest';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { appTest as test } from '../setup/app-fixtures.ts';
import { payForm, seedCheckoutLink, seedSession, sessionPath } from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { noon } from '../setup/seed.ts';
import { completeCharge } from '../setup/subscriptions.ts';

const sameOrigin = { 'sec-fetch-site': 'same-origin' };

test('the session keeps the language that the customer chose, and shows it again without a choice', async ({
  app,
  merchant,
}) => {
  const session = await seedSession(app.context.service, merchant, { now: noon });
  const customer = createPageVisitor(app.app);
  await customer.post(`${sessionPath(session)}&lang=th`, payForm, sameOrigin);
  const { text } = await customer.get(sessionPath(session), { 'accept-language': 'en-HK' });
  expect(text).toContain('<html lang="th"');
  const inChinese = await customer.get(`${sessionPath(session)}&lang=zh`, { 'accept-language': 'en-HK' });
  expect(inChinese.text).toContain('<html lang="zh"');
  const { prisma } = app.context.service;
  const charge = await prisma.charge.findFirstOrThrow({ where: { sessionId: session.id } });
  const { language } = await prisma.checkoutSession.findUniqueOrThrow({ where: { id: session.id } });
  expect([charge.language, language]).toEqual(['th', 'th']);
});

test('the refund mail is in the language of the checkout page', async ({ app, merchant }) => {
  const { service } = app.context;
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  const customer = createPageVisitor(app.app);
  const headers = { ...sameOrigin, 'accept-language': 'th-TH' };
  await customer.post(`/checkout?link=${link.id}`, payForm, headers);
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { checkoutLinkId: link.id } });
  await completeCharge(service, charge, noon);
  const { id: merchantId } = merchant.merchant;
  await createRefund(service, {
    ...{ merchantId, mode: 'live', actor: 'user:test', now: noon },
    input: { chargeId: charge.id, customerAmount: 20 },
  });
  const mail = await service.prisma.message.findFirstOrThrow({ where: { merchantId, kind: 'refund-link' } });
  expect([mail.language, mail.subject]).toEqual(['th', 'เงินคืนจาก Harbour Teas']);
});

test('the charge of another method keeps the language that the customer chose', async ({ app, merchant }) => {
  const { service } = app.context;
  const session = await seedSession(service, merchant, { now: noon });
  const customer = createPageVisitor(app.app);
  const path = sessionPath(session);
  await customer.post(`${path}&lang=th`, payForm, sameOrigin);
  const change = { do: 'change', method: 'hk-bank-transfer' };
  const inEnglish = { ...sameOrigin, 'accept-language': 'en-HK' };
  expect((await customer.post(path, change, inEnglish)).status).toBe(303);
  const charge = await service.prisma.charge.findFirstOrThrow({
    where: { sessionId: session.id, method: change.method },
  });
  expect(charge.language).toBe('th');
  expect((await customer.get(path, inEnglish)).text).toContain('<html lang="th"');
});

test('a session opens in the language that its creator set over REST or GraphQL', async ({
  app,
  merchant,
}) => {
  const { apiKey, apiSecret } = merchant.keys.live;
  const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString('base64')}`;
  const post = (url: string, payload: object) =>
    app.app.inject({ method: 'POST', url, headers: { authorization }, payload });
  const terms = { amount: 20, currency: 'HKD' };
  const rest = await post('/sessions', { ...terms, locale: 'id' });
  expect(rest.statusCode).toBe(201);
  const query = `mutation ($input: CreateSessionInput!) { createSession(input: $input) {
    ... on CreateSessionSuccess { session { id locale } } } }`;
  const input = { ...terms, amount: '20', locale: 'zh_Hant' };
  const { session } = (await post('/graphql', { query, variables: { input } })).json().data.createSession;
  expect(session.locale).toBe('zh_Hant');
  for (const [id, language] of [
    [rest.json().id, 'id'],
    [session.id, 'zh-Hant'],
  ]) {
    const customer = createPageVisitor(app.app);
    const path = sessionPath({ id, mode: 'live' });
    const { text } = await customer.get(path, { 'accept-language': 'en-HK' });
    expect(text).toContain(`<html lang="${language}"`);
    await customer.post(path, payForm, sameOrigin);
    const charge = await app.context.service.prisma.charge.findFirstOrThrow({ where: { sessionId: id } });
    expect(charge.language).toBe(language);
  }
  const invalid = await post('/sessions', { ...terms, locale: 'fr' });
  expect(invalid.statusCode).toBe(400);
  expect(invalid.json().errors[0].path).toBe('/locale');
});
