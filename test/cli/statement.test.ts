import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp, subscribeOverSse } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { booking, camtXml } from '../setup/statement-files.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { askCli, runCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  env = { DATABASE_URL: app.connectionString, APP_SECRET: testAppSecret };
});

const pendingCharge = (email: string) =>
  seedCharge(app.context.service, app.merchant, { now: new Date(), input: { email } });

/** A notification of the bank that the money for a charge has come. */
function creditFor(charge: Charge): string {
  const date = charge.createdAt.toISOString().slice(0, 10);
  return booking({
    date,
    reference: `HSBC${charge.paymentReference}`,
    text: `FPS ${charge.paymentReference} thanks`,
  });
}

async function importFile(text: string, accountId: string) {
  const file = join(await createTempDir(onTestFinished), 'camt.054.xml');
  await writeFile(file, text);
  return runCli(env, ['statement', 'import', file, '--account', accountId, '--json']);
}

const statusOf = async (charge: Charge) =>
  (await app.context.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } })).status;

test('a camt.054 with the nonce of a pending charge completes it once, and whoever watches at the running service sees it', async () => {
  const charge = await pendingCharge('ada@example.com');
  const watch = subscribeOverSse(
    onCleanup,
    app.url,
    app.merchant.keys.live,
    'subscription($id: ID!) { chargeUpdated(id: $id) { status } }',
    {
      id: charge.id,
    },
  );
  expect((await watch.next()).data.chargeUpdated).toEqual({ status: 'pending' });

  const text = camtXml(creditFor(charge), { message: '054' });
  const first = await importFile(text, charge.receivingAccountId);
  expect(first).toMatchObject({
    code: 0,
    json: { entries: 1, matched: 1, duplicate: 0, alreadyImported: false },
  });
  expect((await watch.next()).data.chargeUpdated).toEqual({ status: 'completed' });
  await watch.close();

  const again = await importFile(text, charge.receivingAccountId);
  expect(again.json).toMatchObject({
    statementId: first.json.statementId,
    matched: 1,
    alreadyImported: true,
  });
  // The bank sends the day's entries once more, with others: another file.
  const other = await pendingCharge('bob@example.com');
  const longer = camtXml(creditFor(charge) + creditFor(other), { message: '054' });
  expect((await importFile(longer, charge.receivingAccountId)).json).toMatchObject({
    matched: 1,
    duplicate: 1,
  });
  expect(await statusOf(other)).toBe('completed');
  expect(await askCli(env, 'check')).toEqual({ ok: true, violations: [] });
});

test('a CSV file is looked into, and imported by the mapping that was suggested', {
  timeout: 60_000,
}, async () => {
  const charge = await pendingCharge('di@example.com');
  const folder = await createTempDir(onTestFinished);
  const [file, mapping] = [join(folder, 'day.csv'), join(folder, 'mapping.json')];
  const day = charge.createdAt.toISOString().slice(0, 10);
  await writeFile(file, `Day;What;How much\n${day};${charge.paymentReference};128,50\n${day};rent;-3,00\n`);
  const account = ['--account', charge.receivingAccountId];
  const preview = await askCli(env, 'statement', 'preview', file, ...account);
  expect(preview).toMatchObject({
    format: 'csv',
    mappingOrigin: 'detected',
    entries: 2,
    isWhole: true,
    faults: [],
  });
  expect(preview.rows[0]).toEqual({
    ...{ line: 2, direction: 'credit', status: 'booked', amount: '128.50', currency: 'HKD' },
    ...{ bookedOn: day, reference: charge.paymentReference },
  });
  await writeFile(mapping, JSON.stringify(preview.mapping));
  const imported = await askCli(env, 'statement', 'import', file, ...account, '--mapping', mapping);
  expect(imported).toMatchObject({ format: 'csv', matched: 1, outgoing: 1 });
  expect(await statusOf(charge)).toBe('completed');
  // A preview keeps nothing.
  expect(await app.context.service.prisma.upload.count({ where: { expiresAt: { not: null } } })).toBe(0);
});

test('a broken file imports nothing, and the refusal names the line', async () => {
  const charge = await pendingCharge('cy@example.com');
  const good = camtXml(creditFor(charge), { message: '054' });
  const lines = good.split('\n');
  const broken = good.replace('</BkToCstmrDbtCdtNtfctn>', '');
  const { code, json } = await importFile(broken, charge.receivingAccountId);
  expect(code).toBe(1);
  expect(json.error.code).toBe('invalid_statement');
  expect(json.error.message).toMatch(
    new RegExp(`line ${lines.length - 1}\\b|line ${lines.length - 2}\\b`, 'i'),
  );
  expect(await statusOf(charge)).toBe('pending');
  expect(
    await app.context.service.prisma.transfer.count({
      where: { reference: { contains: charge.paymentReference } },
    }),
  ).toBe(0);
});

test('of a file that is refused, or was imported before, nothing is left waiting', async () => {
  const charge = await pendingCharge('eve@example.com');
  const refused = await importFile('Dear customer,\n', charge.receivingAccountId);
  expect(refused.json.error.code).toBe('invalid_statement');
  const text = camtXml(creditFor(charge), { message: '054' });
  await importFile(text, charge.receivingAccountId);
  expect((await importFile(text, charge.receivingAccountId)).json.alreadyImported).toBe(true);
  expect(await app.context.service.prisma.upload.count({ where: { expiresAt: { not: null } } })).toBe(0);
});
