import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type GraphqlApp, setupGraphqlApp, subscribeOverSse } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { booking, camtXml, mt940Text } from '../setup/statement-files.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { callCli, runCli } from './run-cli.ts';

type CliApp = {
  app: GraphqlApp;
  env: Record<string, string>;
};

const test = fileTest.extend('cli', { scope: 'file' }, async ({ onFileCleanup }) => {
  const cli = {} as CliApp;
  cli.app = await setupGraphqlApp(onFileCleanup);
  cli.env = { DATABASE_URL: cli.app.connectionString, APP_SECRET: testAppSecret };
  return cli;
});

const seedPendingCharge = (cli: CliApp, email: string) =>
  seedCharge(cli.app.context.service, cli.app.merchant, { now: new Date(), input: { email } });

/** Builds a notification of the bank about the transfer for a charge. */
function buildCredit(charge: Charge): string {
  const date = charge.createdAt.toISOString().slice(0, 10);
  return booking({
    date,
    reference: `HSBC${charge.paymentReference}`,
    text: `FPS ${charge.paymentReference} thanks`,
  });
}

async function importFile(cli: CliApp, text: string, accountId: string) {
  const file = join(await createTempDir(onTestFinished), 'camt.054.xml');
  await writeFile(file, text);
  return runCli(cli.env, ['statement', 'import', file, '--account', accountId, '--json']);
}

const readStatus = async (cli: CliApp, charge: Charge) =>
  (await cli.app.context.service.prisma.charge.findUniqueOrThrow({ where: { id: charge.id } })).status;

test('A camt.054 with the payment reference of a pending charge completes it once, and subscribers of the running service receive the change', async ({
  cli,
}) => {
  const charge = await seedPendingCharge(cli, 'ada@example.com');
  const watch = subscribeOverSse(
    onTestFinished,
    cli.app.url,
    cli.app.merchant.keys.live,
    'subscription($id: ID!) { chargeUpdated(id: $id) { status } }',
    {
      id: charge.id,
    },
  );
  expect((await watch.next()).data.chargeUpdated).toEqual({ status: 'pending' });

  const text = camtXml(buildCredit(charge), { message: '054' });
  const first = await importFile(cli, text, charge.receivingAccountId);
  expect(first).toMatchObject({
    code: 0,
    json: { entries: 1, matched: 1, duplicate: 0, isDuplicate: false },
  });
  expect((await watch.next()).data.chargeUpdated).toEqual({ status: 'completed' });
  await watch.close();

  const repeated = await importFile(cli, text, charge.receivingAccountId);
  expect(repeated.json).toMatchObject({
    statementId: first.json.statementId,
    matched: 1,
    isDuplicate: true,
  });
  // The bank sends the entries of the day again with others, in another file.
  const other = await seedPendingCharge(cli, 'bob@example.com');
  const longer = camtXml(buildCredit(charge) + buildCredit(other), { message: '054' });
  expect((await importFile(cli, longer, charge.receivingAccountId)).json).toMatchObject({
    matched: 1,
    duplicate: 1,
  });
  expect(await readStatus(cli, other)).toBe('completed');
  expect(await callCli(cli.env, 'check')).toEqual({ ok: true, violations: [] });
});

test('statement preview suggests a CSV mapping, with which statement import reads the file', {
  timeout: 60_000,
}, async ({ cli }) => {
  const charge = await seedPendingCharge(cli, 'di@example.com');
  const folder = await createTempDir(onTestFinished);
  const [file, mapping] = [join(folder, 'day.csv'), join(folder, 'mapping.json')];
  const day = charge.createdAt.toISOString().slice(0, 10);
  await writeFile(file, `Day;What;How much\n${day};${charge.paymentReference};128,50\n${day};rent;-3,00\n`);
  const account = ['--account', charge.receivingAccountId];
  const preview = await callCli(cli.env, 'statement', 'preview', file, ...account);
  expect(preview).toMatchObject({
    format: 'csv',
    mappingOrigin: 'detected',
    entries: 2,
    isComplete: true,
    errors: [],
  });
  expect(preview.rows[0]).toEqual({
    ...{ line: 2, direction: 'credit', status: 'booked', amount: '128.50', currency: 'HKD' },
    ...{ bookedOn: day, reference: charge.paymentReference },
  });
  await writeFile(mapping, JSON.stringify(preview.mapping));
  const imported = await callCli(cli.env, 'statement', 'import', file, ...account, '--mapping', mapping);
  expect(imported).toMatchObject({ format: 'csv', matched: 1, outgoing: 1 });
  expect(await readStatus(cli, charge)).toBe('completed');
  // A preview stores nothing.
  expect(await cli.app.context.service.prisma.upload.count({ where: { expiresAt: { not: null } } })).toBe(0);
});

test('A broken file imports nothing, and the error contains the line', async ({ cli }) => {
  const charge = await seedPendingCharge(cli, 'cy@example.com');
  const good = camtXml(buildCredit(charge), { message: '054' });
  const lines = good.split('\n');
  const broken = good.replace('</BkToCstmrDbtCdtNtfctn>', '');
  const { code, json } = await importFile(cli, broken, charge.receivingAccountId);
  expect(code).toBe(1);
  expect(json.error.code).toBe('invalid_statement');
  expect(json.error.message).toMatch(
    new RegExp(`line ${lines.length - 1}\\b|line ${lines.length - 2}\\b`, 'i'),
  );
  expect(await readStatus(cli, charge)).toBe('pending');
  expect(
    await cli.app.context.service.prisma.transfer.count({
      where: { reference: { contains: charge.paymentReference } },
    }),
  ).toBe(0);
});

test('A rejected or duplicate file leaves no queued statement', async ({ cli }) => {
  const charge = await seedPendingCharge(cli, 'eve@example.com');
  const rejected = await importFile(cli, 'Dear customer,\n', charge.receivingAccountId);
  expect(rejected.json.error.code).toBe('invalid_statement');
  const text = camtXml(buildCredit(charge), { message: '054' });
  await importFile(cli, text, charge.receivingAccountId);
  expect((await importFile(cli, text, charge.receivingAccountId)).json.isDuplicate).toBe(true);
  expect(await cli.app.context.service.prisma.upload.count({ where: { expiresAt: { not: null } } })).toBe(0);
});

test('The note of a later version of camt is printed by the preview and the import', async ({ cli }) => {
  const charge = await seedPendingCharge(cli, 'gil@example.com');
  const text = camtXml(buildCredit(charge), { version: 14 });
  const file = join(await createTempDir(onTestFinished), 'day.xml');
  await writeFile(file, text);
  const note = 'camt.053.001.14 is a later version than camt.053.001.13 and was read like it';
  const account = ['--account', charge.receivingAccountId];
  expect(await callCli(cli.env, 'statement', 'preview', file, ...account)).toMatchObject({ notes: [note] });
  const { json } = await importFile(cli, text, charge.receivingAccountId);
  expect(json).toMatchObject({ status: 'completed', notes: [note] });
});

test('A file whose control totals do not add up is previewed, confirmed, cancelled and undone', {
  timeout: 60_000,
}, async ({ cli }) => {
  const charge = await seedPendingCharge(cli, 'fay@example.com');
  const day = charge.createdAt.toISOString().slice(2, 10).replaceAll('-', '');
  const unbalanced = (bankReference: string, amount: string) =>
    mt940Text(`:61:${day}C${amount}NTRFNONREF//${bankReference}\n:86:${charge.paymentReference}`);
  const file = join(await createTempDir(onTestFinished), 'day.sta');
  await writeFile(file, unbalanced('CLI1', '128,50'));
  const preview = await callCli(
    cli.env,
    ...['statement', 'preview', file, '--account', charge.receivingAccountId],
  );
  const difference = { kind: 'closing_balance', expected: '100.00', actual: '128.50', currency: 'HKD' };
  expect(preview).toMatchObject({ entries: 1, errors: [], discrepancies: [difference] });

  const held = await importFile(cli, unbalanced('CLI1', '128,50'), charge.receivingAccountId);
  expect(held).toMatchObject({
    code: 1,
    json: { status: 'awaiting_confirmation', discrepancyCount: 1, discrepancies: [difference] },
  });
  const confirmed = await callCli(cli.env, 'statement', 'confirm', held.json.statementId);
  expect(confirmed).toMatchObject({ status: 'completed', matched: 1 });
  expect(await readStatus(cli, charge)).toBe('completed');

  const other = await importFile(cli, unbalanced('CLI2', '1,00'), charge.receivingAccountId);
  const cancelled = await callCli(cli.env, 'statement', 'cancel', other.json.statementId);
  expect(cancelled).toMatchObject({ status: 'cancelled', matched: 0 });
  const again = await runCli(cli.env, ['statement', 'cancel', other.json.statementId, '--json']);
  expect(again.json.error.code).toBe('statement_not_in_progress');

  const undo = ['statement', 'undo', held.json.statementId];
  expect(await callCli(cli.env, ...undo, '--preview')).toMatchObject({
    transferCount: 1,
    completedChargeCount: 1,
    blockingRefundIds: [],
  });
  expect(await callCli(cli.env, ...undo)).toMatchObject({ status: 'undone', undone: 1 });
  const entries = await cli.app.context.service.prisma.auditEntry.findMany({
    where: { objectId: held.json.statementId },
    distinct: ['actor'],
  });
  expect(entries.map(({ actor }) => actor)).toEqual(['operator']);
  const { amountReceived } = await cli.app.context.service.prisma.charge.findUniqueOrThrow({
    where: { id: charge.id },
  });
  expect(amountReceived).toBe(0n);
  expect(await callCli(cli.env, 'check')).toEqual({ ok: true, violations: [] });
});
