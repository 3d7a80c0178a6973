import { createPublicKey, createVerify } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { deliverNotifications } from '../setup/deliver-notifications.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedEvent } from '../setup/notifications.ts';
import { startReceiver } from '../setup/receiver.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const clock = createFakeClock(noon);

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock });
});

const fields = 'certificate { id status publicKey fingerprint signsFrom revokedAt }';
const change = async (name: string, input: object): Promise<Json> => {
  const answer = await mutate(app, name, input, fields);
  return answer.certificate ?? answer;
};
const statuses = async (): Promise<Json> => {
  const { data } = await app.ask('{ certificates { nodes { status } } }');
  return data.certificates.nodes.map((node: Json) => node.status);
};

async function listCertificates(keys: ModeKeys): Promise<Json> {
  const { data } = await app.ask('{ certificates { nodes { id mode status } } }', { as: keys });
  return data.certificates.nodes;
}

/** The certificate that signed a callback sent now, among these. */
async function signerOf(certificates: Json[]): Promise<string> {
  await using receiver = await startReceiver();
  await seedEvent(app.context.service, app.merchant, { callbackUrl: receiver.url, now: clock.now() });
  await relayEvents(app.context.service, { now: clock.now() });
  await deliverNotifications(app.context.service, { clock });
  const { body, headers } = receiver.requests[0]!;
  const { payload, signature } = JSON.parse(body);
  const signers = certificates.filter(({ publicKey }) =>
    createVerify('RSA-SHA256').update(JSON.stringify(payload)).verify(publicKey, signature, 'base64'),
  );
  expect(signers.map(({ id }) => id)).toEqual([headers['certificate-id']]);
  return signers[0].id;
}

test('certificates change over without a gap: the new one waits, signs, and the old one still verifies until revoked', async () => {
  const { data } = await app.ask(
    `{ certificates { nodes { ${fields.slice('certificate { '.length, -2)} } } }`,
  );
  const [first] = data.certificates.nodes;
  expect(first).toMatchObject({ status: 'signing', revokedAt: null });
  expect(createPublicKey(first.publicKey).asymmetricKeyType).toBe('rsa');
  expect(first.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(await change('revokeCertificate', { id: first.id })).toMatchObject({ code: 'certificate_signing' });

  clock.set(minutesAfter(noon, 1));
  const second = await change('createCertificate', { signsFrom: minutesAfter(noon, 60).toISOString() });
  expect(second.status).toBe('upcoming');
  expect(second.fingerprint).not.toBe(first.fingerprint);
  expect(await signerOf([first, second])).toBe(first.id);
  expect(await change('revokeCertificate', { id: first.id })).toMatchObject({ code: 'certificate_signing' });

  clock.set(minutesAfter(noon, 60));
  expect(await statuses()).toEqual(['signing', 'verifying']);
  expect(await signerOf([first, second])).toBe(second.id);
  expect(await change('revokeCertificate', { id: second.id })).toMatchObject({ status: 'revoked' });
  expect(await signerOf([first, second])).toBe(first.id);
  const third = await change('createCertificate', {});
  expect(await change('revokeCertificate', { id: first.id })).toMatchObject({ status: 'revoked' });
  expect(await signerOf([first, second, third])).toBe(third.id);
  expect(await statuses()).toEqual(['signing', 'revoked', 'revoked']);
});

test('of two that are revoked at once, one stays', async () => {
  const made = await change('createCertificate', {});
  const { data } = await app.ask('{ certificates { nodes { id status } } }');
  const ids = data.certificates.nodes
    .filter(({ status }: Json) => status !== 'revoked')
    .map(({ id }: Json) => id);
  expect(ids).toContain(made.id);
  const results = await Promise.all(ids.map((id: string) => change('revokeCertificate', { id })));
  expect(results.filter(({ code }) => code === 'certificate_signing')).toHaveLength(1);
});

test('a certificate is its merchant’s alone, and is not made for a far future', async () => {
  const { data } = await app.ask('{ certificates { nodes { id } } }');
  const [{ id }] = data.certificates.nodes;
  const foreign = await app.ask(`{ certificate(id: "${id}") { id } }`, { as: app.otherMerchant.keys.live });
  expect(foreign.data.certificate).toBeNull();
  expect(await change('createCertificate', { signsFrom: '2030-01-01T00:00:00.000Z' })).toMatchObject({
    code: 'invalid_request',
  });
  expect(await change('revokeCertificate', { id: 'cert_0' })).toMatchObject({
    code: 'certificate_not_found',
  });
});

test('whoever may manage the sandbox alone rotates its certificates and cannot touch the live ones', async () => {
  const developer = await signInAs('developer', app, app.merchant);
  const live = await listCertificates(app.merchant.keys.live);
  const inSandbox: Record<string, (query: string) => Promise<Json>> = {
    'a developer': (query) => developer.ask(query, { mode: 'sandbox' }),
    'a sandbox key': (query) => app.ask(query, { as: app.merchant.keys.sandbox }),
  };
  for (const [who, ask] of Object.entries(inSandbox)) {
    clock.advance(1_000);
    const [before] = await listCertificates(app.merchant.keys.sandbox);
    const { data } = await ask(`mutation {
      createCertificate(input: {}) { ... on CreateCertificateSuccess { certificate { id mode status } } }
      own: revokeCertificate(input: { id: "${before.id}" }) { __typename }
      live: revokeCertificate(input: { id: "${live[0].id}" }) { ... on UserError { code } }
    }`);
    expect([who, data]).toMatchObject([
      who,
      {
        createCertificate: { certificate: { mode: 'sandbox', status: 'signing' } },
        own: { __typename: 'RevokeCertificateSuccess' },
        live: { code: 'certificate_not_found' },
      },
    ]);
  }
  expect(await listCertificates(app.merchant.keys.live)).toEqual(live);

  const { data } = await developer.ask(
    'mutation { createCertificate(input: {}) { ... on UserError { code } } }',
    {
      mode: 'live',
    },
  );
  expect(data.createCertificate).toEqual({ code: 'permission_denied' });
});

test('the only certificate that signs in a mode stays, whatever the other mode has', async () => {
  const [{ id }] = await listCertificates(app.otherMerchant.keys.sandbox);
  const { data } = await app.ask(
    `mutation { revokeCertificate(input: { id: "${id}" }) { ... on UserError { code } } }`,
    {
      as: app.otherMerchant.keys.sandbox,
    },
  );
  expect(data.revokeCertificate).toEqual({ code: 'certificate_signing' });
});

test('ten certificates are created in an hour, and those of one mode use up nothing of the other', async () => {
  clock.set(minutesAfter(noon, 600));
  const { prisma } = app.context.service;
  const { id: _, ...known } = await prisma.certificate.findFirstOrThrow({
    where: { merchantId: app.merchant.merchant.id, mode: 'live' },
  });
  const made = Array.from({ length: 10 }, (_, i) => ({
    ...known,
    id: `cert_${i}`,
    createdAt: minutesAfter(noon, 550 + i),
  }));
  await prisma.certificate.createMany({ data: made });
  expect(await change('createCertificate', {})).toMatchObject({ code: 'rate_limited' });
  const { data } = await app.ask('mutation { createCertificate(input: {}) { __typename } }', {
    as: app.merchant.keys.sandbox,
  });
  expect(data.createCertificate.__typename).toBe('CreateCertificateSuccess');
  // The first of them was an hour ago.
  clock.set(minutesAfter(noon, 610));
  expect(await change('createCertificate', {})).toMatchObject({ status: 'signing' });
});
