import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { startImporter } from '../../src/domain/money-in/statement/start-importer.ts';
import { basicAuth } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { camtXml, csvMapping, details, ntry } from '../setup/statement-files.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let charge: Charge;
let today: string;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  charge = await seedCharge(app.context.service, app.merchant, { now: new Date() });
  today = charge.createdAt.toISOString().slice(0, 10);
});

async function send(content: string, fileName = 'bank.csv'): Promise<string> {
  const answer = await fetch(`${app.url}/uploads?fileName=${fileName}`, {
    method: 'PUT',
    body: content,
    headers: { authorization: basicAuth(app.merchant.keys.live) },
  });
  return ((await answer.json()) as { uploadId: string }).uploadId;
}

const mapping = `encoding delimiter skipLines hasHeader footerRows decimalMark dateOrder hasBuddhistYears amountFormat
  isCreditNegative referenceColumns dateColumn timeColumn valueDateColumn amountColumn creditColumn debitColumn directionColumn currencyColumn payerNameColumn payerAccountColumn
  bankReferenceColumn statusColumn creditValues debitValues bookedValues`;
const previewMutation = `mutation ($input: PreviewStatementInput!) { previewStatement(input: $input) {
  ... on PreviewStatementSuccess { preview {
    format columns accounts entryCount isComplete mappingOrigin mapping { ${mapping} } errors { line message }
    rows { line cells entry { direction isBooked isReversal amount currency date reference payerName bankReference } }
  } }
  ... on UserError { code message }
} }`;
const importMutation = `mutation ($input: ImportStatementInput!) { importStatement(input: $input) {
  ... on ImportStatementSuccess { isDuplicate statement { id status progress entryCount } }
  ... on UserError { code message }
} }`;
const statementQuery = `query ($id: ID!) { statement(id: $id) {
  status format fileName sizeBytes sha256 downloadUrl progress entryCount recordedCount importedBy importedByName finishedAt
  receivingAccount { id statementMapping { referenceColumns } } mapping { referenceColumns }
  resultCounts { matched partial over exception duplicate returned outgoing ignored } error { line message }
  transfers(first: 5) { totalCount nodes { status reference statement { id } } }
} }`;

async function preview(uploadId: string, given?: object, as?: ApiAuth) {
  const input = { uploadId, receivingAccountId: charge.receivingAccountId, mapping: given };
  const { data, errors } = await app.ask(previewMutation, { variables: { input }, ...(as && { as }) });
  expect(errors).toBeUndefined();
  return data.previewStatement;
}

async function importFile(uploadId: string, given?: object, as?: ApiAuth) {
  const input = { uploadId, receivingAccountId: charge.receivingAccountId, mapping: given };
  const { data, errors } = await app.ask(importMutation, { variables: { input }, ...(as && { as }) });
  expect(errors).toBeUndefined();
  return data.importStatement;
}

async function work(): Promise<void> {
  const { service, clock } = app.context;
  const importer = startImporter(service, { clock, onError: (error) => expect.unreachable(error.message) });
  await importer.startQueued();
  const unfinished = { where: { status: { in: ['queued' as const, 'running' as const] } } };
  await expect.poll(() => service.prisma.statement.count(unfinished)).toBe(0);
  await importer.stop();
}

describe('a CSV file', () => {
  const csv = (nonce: string) =>
    `Account,123\nDate,Description,Credit,Debit\n${today},FPS ${nonce},128.50,\n${today},FEE,,2.00\n${today},BROUGHT FORWARD,,\n`;

  test('is looked into with a guess, corrected, imported, and its mapping kept', async () => {
    const uploadId = await send(csv(charge.paymentReference));
    const { preview: guessed } = await preview(uploadId);
    expect(guessed).toMatchObject({
      format: 'csv',
      mappingOrigin: 'detected',
      columns: ['Date', 'Description', 'Credit', 'Debit'],
      entryCount: 2,
      isComplete: true,
      errors: [],
      mapping: {
        skipLines: 1,
        amountFormat: 'separate_columns',
        creditColumn: 'Credit',
        debitColumn: 'Debit',
        referenceColumns: ['Description'],
      },
    });
    expect(guessed.rows).toEqual([
      {
        line: 3,
        cells: [today, `FPS ${charge.paymentReference}`, '128.50', ''],
        entry: expect.objectContaining({
          direction: 'credit',
          amount: '128.50',
          currency: 'HKD',
          date: today,
        }),
      },
      { line: 4, cells: [today, 'FEE', '', '2.00'], entry: expect.objectContaining({ direction: 'debit' }) },
      { line: 5, cells: [today, 'BROUGHT FORWARD', '', ''], entry: null },
    ]);

    const wrong = await preview(uploadId, { ...guessed.mapping, decimalMark: ',' });
    expect(wrong.preview).toMatchObject({
      mappingOrigin: 'provided',
      errors: [
        { line: 3, message: '"128.50" is not an amount with the decimal mark ,' },
        { line: 4, message: '"2.00" is not an amount with the decimal mark ,' },
      ],
    });
    const missing = await preview(uploadId, { ...guessed.mapping, creditColumn: 'Deposit' });
    expect(missing.preview.errors).toEqual([{ line: 2, message: 'the header has no column "Deposit"' }]);
    expect(missing.preview.columns).toEqual(['Date', 'Description', 'Credit', 'Debit']);

    expect(await importFile(uploadId)).toMatchObject({ code: 'invalid_request' });
    const { statement, isDuplicate } = await importFile(uploadId, guessed.mapping);
    expect([statement.status, statement.progress, isDuplicate]).toEqual(['queued', 0, false]);
    await work();
    const { data } = await app.ask(statementQuery, { variables: { id: statement.id } });
    expect(data.statement).toMatchObject({
      status: 'completed',
      format: 'csv',
      fileName: 'bank.csv',
      progress: 1,
      entryCount: 2,
      recordedCount: 2,
      error: null,
      importedByName: expect.any(String),
      mapping: { referenceColumns: ['Description'] },
      receivingAccount: {
        id: charge.receivingAccountId,
        statementMapping: { referenceColumns: ['Description'] },
      },
      resultCounts: { matched: 1, outgoing: 1, exception: 0, duplicate: 0 },
      transfers: { totalCount: 2 },
    });
    expect(data.statement.transfers.nodes.map((one: { statement: object }) => one.statement)).toEqual(
      Array(2).fill({ id: statement.id }),
    );
    expect(data.statement.downloadUrl).toMatch(new RegExp(`/statements/${statement.id}/file$`));
    expect(await importFile(uploadId)).toMatchObject({
      isDuplicate: true,
      statement: { id: statement.id, status: 'completed' },
    });
    expect((await preview(await send(csv('other')))).preview.mappingOrigin).toBe('saved');
  });

  test('that is no statement at all is refused at once', async () => {
    const workbook = await send('PK\u0003\u0004 a workbook', 'bank.xlsx');
    expect(await preview(workbook)).toMatchObject({ code: 'invalid_statement' });
    expect(await importFile(workbook)).toEqual({
      code: 'invalid_statement',
      message: 'line 1: this is an Excel workbook or another ZIP file: save it as CSV',
    });
    expect(await preview('up_none')).toMatchObject({ code: 'upload_not_found' });
    expect(await preview(workbook, undefined, app.otherMerchant.keys.live)).toMatchObject({
      code: 'receiving_account_not_found',
    });
  });
});

test('a preview cuts a long cell, and never a character', async () => {
  const content = `Date,Amount,Text\n2026-11-20,1.00,${'a'.repeat(199)}𠮷𠮷\n`;
  const { preview: seen } = await preview(await send(content), csvMapping({ referenceColumns: ['Text'] }));
  expect(seen.rows[0].cells[2]).toBe(`${'a'.repeat(199)}\ufffd…`);
});

test('a preview tells whose statement it is, and where text goes on in the row below', async () => {
  const both = camtXml(ntry()).replace(
    '</Stmt>',
    `</Stmt><Stmt><Id>S2</Id><Acct><Id><Othr><Id>012-9</Id></Othr></Id></Acct>${ntry()}</Stmt>`,
  );
  expect((await preview(await send(both, 'camt.xml'))).preview).toMatchObject({
    accounts: ['HK0012345678', '012-9'],
    entryCount: 2,
  });
  const text = `Date,Description,Credit,Debit\n${today},FPS,5,\n,TIGER2345,,\n`;
  const { amountColumn: _, ...rest } = csvMapping();
  const columns = {
    ...rest,
    amountFormat: 'separate_columns',
    creditColumn: 'Credit',
    referenceColumns: ['Description'],
  };
  const { preview: read } = await preview(await send(text), columns);
  expect(read.accounts).toEqual([]);
  expect(read.rows.map(({ entry }: { entry: { reference: string } | null }) => entry?.reference)).toEqual([
    'FPS TIGER2345',
    undefined,
  ]);
});

describe('a broken file', () => {
  test('is kept as failed with line and reason, and the preview shows the same', async () => {
    const good = ntry({ details: details('<RmtInf><Ustrd>x</Ustrd></RmtInf>') });
    const uploadId = await send(camtXml(`${good}\n${good.replace('CRDT', 'BOTH')}`), 'camt.xml');
    const { preview: seen } = await preview(uploadId);
    expect(seen).toMatchObject({ format: 'camt', isComplete: false });
    const { statement } = await importFile(uploadId);
    await work();
    const { data } = await app.ask(statementQuery, { variables: { id: statement.id } });
    expect(data.statement).toMatchObject({
      status: 'failed',
      recordedCount: 0,
      transfers: { totalCount: 0 },
    });
    expect(data.statement.error).toEqual(seen.errors[0]);
    expect(data.statement.error.message).toBe('<CdtDbtInd> "BOTH" is neither CRDT nor DBIT');
    const list = await app.ask(
      '{ statements(first: 5, filter: { statuses: [failed] }) { totalCount nodes { id } } }',
    );
    expect(list.data.statements).toEqual({ totalCount: 1, nodes: [{ id: statement.id }] });
    const foreign = await app.ask(statementQuery, {
      variables: { id: statement.id },
      as: app.otherMerchant.keys.live,
    });
    expect(foreign.data.statement).toBeNull();
  });
});

test('updateStatementMapping sets how files of the account are read from now on', async () => {
  const mapping = csvMapping({
    delimiter: ';',
    decimalMark: ',',
    dateColumn: 'Tanggal',
    amountColumn: 'Jumlah',
  });
  const { receivingAccount } = await mutate(
    app,
    'updateStatementMapping',
    { receivingAccountId: charge.receivingAccountId, mapping },
    'receivingAccount { statementMapping { dateColumn referenceColumns delimiter } }',
  );
  expect(receivingAccount.statementMapping).toEqual({
    dateColumn: 'Tanggal',
    referenceColumns: [],
    delimiter: ';',
  });
});
