import { describe, expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { presets } from '../../src/feed/catalog.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedCharge } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { runCli } from './run-cli.ts';

const test = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupGraphqlApp(onFileCleanup))
  .extend('env', { scope: 'file' }, ({ app }) => ({
    DATABASE_URL: app.connectionString,
    APP_SECRET: testAppSecret,
    PUBLIC_URL: app.url,
  }));

const vnd = { method: 'viettel-pay', merchantCurrency: 'VND', merchantAmount: 250_000 };
const aud = { method: 'au-bank-transfer', merchantCurrency: 'AUD', merchantAmount: 31.4 };
/** The charge and the input of the merchant for each kind of feed. */
const senders: Record<string, { charge: object; input?: object }> = {
  airwallex: { charge: {}, input: { credentials: { secret: 's' } } },
  anz: { charge: aud, input: { credentials: { key: 'k' } } },
  casso_v1: { charge: vnd, input: { credentials: { key: 'k' } } },
  casso_v2: { charge: vnd, input: { credentials: { secret: 's' } } },
  monoova: { charge: aud },
  sepay: { charge: vnd, input: { authentication: 'key', credentials: { key: 'k' } } },
  snap: {
    charge: { method: 'id-bank-transfer', merchantCurrency: 'IDR', merchantAmount: 150_000 },
    input: { authentication: 'asymmetric' },
  },
};

const nzd = { method: 'nz-bank-transfer', merchantCurrency: 'NZD', merchantAmount: 31.4 };
const krw = { method: 'toss', merchantCurrency: 'KRW', merchantAmount: 128_000 };
const pull = { providerAccountId: '4711' };
/** The feeds that are polled. Their simulator stores what a poll would fetch. */
const polledSenders: Record<string, { charge: object; input: object; status: string }> = {
  akahu: { charge: nzd, input: { credentials: { key: 'k', clientId: 'c' } }, status: 'processed' },
  popbill: {
    charge: krw,
    input: { credentials: { clientId: 'c', clientSecret: 's' }, pull },
    status: 'processed',
  },
  sftp: {
    charge: vnd,
    input: { credentials: { username: 'u', key: 'k' }, pull: { host: 'sftp.bank.example' } },
    status: 'received',
  },
  wise: { charge: aud, input: { credentials: { key: 'k' }, pull }, status: 'processed' },
};

function seedSandboxCharge(app: GraphqlApp, input: object): Promise<Charge> {
  return seedCharge(app.context.service, app.merchant, { mode: 'sandbox', input, now: new Date() });
}

async function createSandboxFeed(app: GraphqlApp, kind: string, { receivingAccountId }: Charge, input = {}) {
  const accounts = { receivingAccounts: [{ receivingAccountId, bankAccount: '0123499999' }] };
  const { bankFeed } = await mutate(
    app,
    'createBankFeed',
    { kind, ...accounts, ...input },
    'bankFeed { id }',
    app.merchant.keys.sandbox,
  );
  return bankFeed.id as string;
}

const readStatus = async ({ context }: GraphqlApp, { id }: Charge) =>
  (await context.service.prisma.charge.findUniqueOrThrow({ where: { id } })).status;

describe('feed simulate', () => {
  test.for(Object.keys(senders))(
    'completes a charge of the sandbox through a feed of %s',
    async (kind, { app, env }) => {
      const { charge: terms, input } = senders[kind]!;
      const charge = await seedSandboxCharge(app, terms);
      const feed = await createSandboxFeed(app, kind, charge, input);
      const { code, json } = await runCli(env, [
        'feed',
        'simulate',
        kind,
        '--feed',
        feed,
        '--charge',
        charge.id,
        '--json',
      ]);
      expect({ code, status: json.answer?.status, json }).toMatchObject({ code: 0, status: 200 });
      expect(await readStatus(app, charge)).toBe('completed');
      await expectInvariants(app.context.service);
    },
  );

  test.for(Object.keys(polledSenders))(
    'stores a payment of a charge as if a poll of %s had fetched it',
    async (kind, { app, env }) => {
      const { charge: terms, input, status } = polledSenders[kind]!;
      const charge = await seedSandboxCharge(app, terms);
      const feed = await createSandboxFeed(app, kind, charge, input);
      const words = ['feed', 'simulate', kind, '--feed', feed, '--charge', charge.id, '--json'];
      const { code, json } = await runCli(env, words);
      expect({ code, json }).toMatchObject({ code: 0, json: { status } });
      expect(json.statementIds).toHaveLength(status === 'received' ? 1 : 0);
      if (status === 'processed') expect(await readStatus(app, charge)).toBe('completed');
      const polled = await runCli(env, ['feed', 'poll', feed, '--json']);
      expect(polled).toMatchObject({ code: 0, json: { id: feed, requested: true } });
    },
  );

  test('has a sender for every preset but SCB, whose payments the bank’s API confirms, and folders', () => {
    const kinds = [...Object.keys(senders), ...Object.keys(polledSenders), 'scb', 'folder'];
    expect(kinds.sort()).toEqual(Object.keys(presets).sort());
  });

  test('sends to SCB’s feed, which only observes without the credentials of the API', async ({
    app,
    env,
  }) => {
    const terms = { method: 'prompt-pay', merchantCurrency: 'THB', merchantAmount: 100 };
    const charge = await seedSandboxCharge(app, terms);
    const feed = await createSandboxFeed(app, 'scb', charge);
    // It is the only feed of its kind.
    const { json } = await runCli(env, ['feed', 'simulate', 'scb', '--charge', charge.id, '--json']);
    expect(json.answer).toMatchObject({ status: 200 });
    expect(JSON.parse(json.answer.body)).toMatchObject({ resCode: '00', resDesc: 'success' });
    expect(await readStatus(app, charge)).toBe('pending');
    const [delivery] = await app.context.service.prisma.feedDelivery.findMany({ where: { feedId: feed } });
    expect(delivery).toMatchObject({ status: 'observed', results: [{ status: 'observed' }] });
    const listed = await runCli(env, ['feed', 'deliveries', feed]);
    expect(listed.stdout).toMatch(new RegExp(`^${delivery!.id}  \\S+Z  observed\n$`));
    const latest = await runCli(env, ['feed', 'deliveries', feed, '--limit', '1', '--json']);
    expect(latest.json).toMatchObject([{ id: delivery!.id, status: 'observed', transferIds: [] }]);
    expect(await runCli(env, ['feed', 'deliveries', feed, '--limit', '0'])).toMatchObject({ code: 2 });
    const unknown = await runCli(env, ['feed', 'deliveries', 'feed_none', '--json']);
    expect(unknown).toMatchObject({ code: 1, json: { error: { code: 'bank_feed_not_found' } } });
    const again = await runCli(env, ['feed', 'process', delivery!.id]);
    expect(again).toMatchObject({ code: 0, stdout: `${delivery!.id}: observed\n` });
  });

  test('is rejected for a live feed, an unknown kind, and several feeds', async ({ app, env }) => {
    const charge = await seedCharge(app.context.service, app.merchant, { input: vnd, now: new Date() });
    const { receivingAccountId } = charge;
    const input = {
      kind: 'sepay',
      credentials: { secret: 's' },
      receivingAccounts: [{ receivingAccountId }],
    };
    const { bankFeed } = await mutate(app, 'createBankFeed', input, 'bankFeed { id }');
    const live = await runCli(env, ['feed', 'simulate', 'sepay', '--feed', bankFeed.id, '--json']);
    expect(live).toMatchObject({ code: 1, json: { error: { code: 'sandbox_only' } } });
    expect(await runCli(env, ['feed', 'simulate', 'mybank'])).toMatchObject({ code: 2 });
    const own = await seedSandboxCharge(app, vnd);
    for (let i = 0; i < 2; i++) await createSandboxFeed(app, 'casso_v1', own, { credentials: { key: 'k' } });
    const several = await runCli(env, ['feed', 'simulate', 'casso_v1']);
    expect(several.stderr).toContain('choose one with --feed');
  });
});

test('feed list prints every feed with its URL and status', async ({ app, env }) => {
  const charge = await seedSandboxCharge(app, vnd);
  const id = await createSandboxFeed(app, 'sepay', charge, {
    name: 'Vietcombank',
    credentials: { secret: 's' },
  });
  const { json } = await runCli(env, ['feed', 'list', '--merchant', app.merchant.merchant.id, '--json']);
  expect(json).toContainEqual(
    expect.objectContaining({ id, name: 'Vietcombank', status: 'new', url: `${app.url}/feeds/${id}` }),
  );
  const { stdout } = await runCli(env, ['feed', 'list']);
  expect(stdout).toContain(`${id}  sandbox  sepay  new  no delivery yet  Vietcombank`);
});
