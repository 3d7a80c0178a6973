import { describe, expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { startImporter } from '../../src/domain/money-in/statement/import/start-importer.ts';
import { newId } from '../../src/kit/id.ts';
import { basicAuth } from '../setup/api.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { minutesAfter, noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { camtXml, csvMapping, details, ntry } from '../setup/statement-files.ts';
import { payCharge } from '../setup/transfers.ts';

/** Each test has a merchant of its own, so that no mapping is saved yet. */
const statementTest = graphqlTest
  .extend('merchant', ({ service }) => seedMerchant(service))
  .extend('charge', ({ service, merchant }) => seedCharge(service, merchant, { now: new Date() }));

const toDay = (charge: Charge) => charge.createdAt.toISOString().slice(0, 10);

async function send(
  app: GraphqlApp,
  merchant: NewMerchant,
  content: string,
  fileName = 'bank.csv',
): Promise<string> {
  const response = await fetch(`${app.url}/uploads?fileName=${fileName}`, {
    method: 'PUT',
    body: content,
    headers: { authorization: basicAuth(merchant.keys.live) },
  });
  return ((await response.json()) as { uploadId: string }).uploadId;
}

const mappingFields = `encoding delimiter skipLines hasHeader footerRows decimalMark dateOrder hasBuddhistYears amountFormat
  isCreditNegative referenceColumns dateColumn timeColumn valueDateColumn amountColumn creditColumn debitColumn directionColumn currencyColumn payerNameColumn payerAccountColumn
  bankReferenceColumn statusColumn creditValues debitValues bookedValues`;

const previewMutation = `mutation ($input: PreviewStatementInput!) { previewStatement(input: $input) {
  ... on PreviewStatementSuccess { preview {
    format bank questions { kind sample } columns accounts entryCount isComplete mappingOrigin mapping { ${mappingFields} } errors { line message }
    rows { line cells status charge { id } entry { direction isBooked isReversal amount currency date reference payerName bankReference } }
  } }
  ... on UserError { code message }
} }`;

const importMutation = `mutation ($input: ImportStatementInput!) { importStatement(input: $input) {
  ... on ImportStatementSuccess { isDuplicate statement { id status progress entryCount } }
  ... on UserError { code message }
} }`;

const statementQuery = `query ($id: ID!) { statement(id: $id) {
  status format fileName sizeBytes sha256 downloadUrl progress entryCount recordedCount importedBy { kind objectId name } finishedAt
  receivingAccount { id statementMapping { referenceColumns } } mapping { referenceColumns }
  resultCounts { matched partial over exception duplicate returned outgoing ignored } error { line message }
  transfers(first: 5) { totalCount nodes { status reference statement { id } } }
} }`;

async function preview(
  app: GraphqlApp,
  merchant: NewMerchant,
  charge: Charge,
  uploadId: string,
  mapping?: object,
  as: ApiAuth = merchant.keys.live,
) {
  const input = { uploadId, receivingAccountId: charge.receivingAccountId, mapping };
  const { data, errors } = await app.ask(previewMutation, { variables: { input }, as });
  expect(errors).toBeUndefined();
  return data.previewStatement;
}

async function importFile(
  app: GraphqlApp,
  merchant: NewMerchant,
  charge: Charge,
  uploadId: string,
  mapping?: object,
  as: ApiAuth = merchant.keys.live,
) {
  const input = { uploadId, receivingAccountId: charge.receivingAccountId, mapping };
  const { data, errors } = await app.ask(importMutation, { variables: { input }, as });
  expect(errors).toBeUndefined();
  return data.importStatement;
}

async function work(app: GraphqlApp): Promise<void> {
  const { service, clock } = app.context;
  const importer = startImporter(service, { clock, onError: (error) => expect.unreachable(error.message) });
  await importer.startDue();
  const unfinished = { where: { status: { in: ['queued' as const, 'running' as const] } } };
  await expect.poll(() => service.prisma.statement.count(unfinished)).toBe(0);
  await importer.stop();
}

/** Pages of transfers within a page of statements. */

/** The IDs of the transfers of each statement by its id, newest first. */
const transfersTest = graphqlTest.extend('transfers', { scope: 'file' }, async ({ app, service }) => {
  const transfers = new Map<string, string[]>();
  for (const [i, size] of [5, 3, 0].entries()) {
    const now = minutesAfter(noon, 60 * i);
    const ids: string[] = [];
    let receivingAccountId = '';
    for (let n = 0; n < Math.max(size, 1); n++) {
      const createdAt = minutesAfter(now, n);
      const charge = await seedCharge(service, app.merchant, {
        input: { email: `s${i}-${n}@example.com` },
        now: createdAt,
      });
      receivingAccountId = charge.receivingAccountId;
      const { transferId } = await payCharge(service, app.merchant, charge, {
        minor: 100n,
        paidAt: createdAt,
      });
      if (size > 0) ids.unshift(transferId!);
    }
    const { id } = await service.prisma.statement.create({
      data: {
        id: newId('statement', now),
        merchantId: app.merchant.merchant.id,
        mode: 'live',
        receivingAccountId,
        format: 'camt.053',
        fileName: `${i}.xml`,
        fileHash: `hash ${i}`,
        importedBy: 'user:test',
        resultCounts: {},
        createdAt: now,
      },
    });
    await service.prisma.transfer.updateMany({ where: { id: { in: ids } }, data: { statementId: id } });
    transfers.set(id, ids);
  }
  return transfers;
});

const list = async (app: GraphqlApp, args: string): Promise<Json[]> => {
  const { data, errors } = await app.ask(
    `{ statements { nodes { id transfers(${args}) { totalCount nodes { id statement { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`,
  );
  expect(errors).toBeUndefined();
  return data.statements.nodes;
};

describe('Statements', () => {
  describe('a CSV file', () => {
    const csv = (day: string, paymentReference: string) =>
      `Account,123\nDate,Description,Credit,Debit\n${day},FPS ${paymentReference},128.50,\n${day},FEE,,2.00\n${day},BROUGHT FORWARD,,\n`;

    statementTest(
      'is previewed with a detected mapping, corrected and imported, and its mapping is saved',
      async ({ app, merchant, charge }) => {
        const today = toDay(charge);
        const uploadId = await send(app, merchant, csv(today, charge.paymentReference));
        const { preview: detected } = await preview(app, merchant, charge, uploadId);
        expect(detected).toMatchObject({
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
        expect(detected.rows).toEqual([
          {
            line: 3,
            cells: [today, `FPS ${charge.paymentReference}`, '128.50', ''],
            status: 'matched',
            charge: { id: charge.id },
            entry: expect.objectContaining({
              direction: 'credit',
              amount: '128.50',
              currency: 'HKD',
              date: today,
            }),
          },
          {
            line: 4,
            cells: [today, 'FEE', '', '2.00'],
            ...{ status: null, charge: null },
            entry: expect.objectContaining({ direction: 'debit' }),
          },
          {
            line: 5,
            cells: [today, 'BROUGHT FORWARD', '', ''],
            ...{ status: null, charge: null, entry: null },
          },
        ]);
        // The preview records nothing.
        const { status } = await app.context.service.prisma.charge.findUniqueOrThrow({
          where: { id: charge.id },
        });
        expect(status).toBe('pending');

        const wrong = await preview(app, merchant, charge, uploadId, {
          ...detected.mapping,
          decimalMark: ',',
        });
        expect(wrong.preview).toMatchObject({
          mappingOrigin: 'provided',
          errors: [
            { line: 3, message: '"128.50" is not an amount; the decimal mark is ","' },
            { line: 4, message: '"2.00" is not an amount; the decimal mark is ","' },
          ],
        });
        const missing = await preview(app, merchant, charge, uploadId, {
          ...detected.mapping,
          creditColumn: 'Deposit',
        });
        expect(missing.preview.errors).toEqual([{ line: 2, message: 'the header has no column "Deposit"' }]);
        expect(missing.preview.columns).toEqual(['Date', 'Description', 'Credit', 'Debit']);

        expect(await importFile(app, merchant, charge, uploadId)).toMatchObject({ code: 'invalid_request' });
        const { statement, isDuplicate } = await importFile(
          app,
          merchant,
          charge,
          uploadId,
          detected.mapping,
        );
        expect([statement.status, statement.progress, isDuplicate]).toEqual(['queued', 0, false]);
        await work(app);
        const { data } = await app.ask(statementQuery, {
          variables: { id: statement.id },
          as: merchant.keys.live,
        });
        expect(data.statement).toMatchObject({
          status: 'completed',
          format: 'csv',
          fileName: 'bank.csv',
          progress: 1,
          entryCount: 2,
          recordedCount: 2,
          error: null,
          importedBy: {
            kind: 'api_key',
            objectId: expect.stringMatching(/^key_/),
            name: expect.any(String),
          },
          mapping: { referenceColumns: ['Description'] },
          receivingAccount: {
            id: charge.receivingAccountId,
            statementMapping: { referenceColumns: ['Description'] },
          },
          resultCounts: { matched: 1, outgoing: 1, exception: 0, duplicate: 0 },
          transfers: { totalCount: 2 },
        });
        expect(
          data.statement.transfers.nodes.map((transfer: { statement: object }) => transfer.statement),
        ).toEqual(Array(2).fill({ id: statement.id }));
        expect(data.statement.downloadUrl).toMatch(new RegExp(`/statements/${statement.id}/file$`));
        expect(await importFile(app, merchant, charge, uploadId)).toMatchObject({
          isDuplicate: true,
          statement: { id: statement.id, status: 'completed' },
        });
        expect(
          (await preview(app, merchant, charge, await send(app, merchant, csv(today, 'other')))).preview
            .mappingOrigin,
        ).toBe('saved');
      },
    );

    statementTest(
      'of a known bank is recognized, and anything that a file leaves open is returned as a question',
      async ({ app, merchant, charge }) => {
        const known =
          'Date,Description,Billing amount,Billing currency,Balance,Balance currency\n02/10/2026,FPS,5.00,HKD,5.00,HKD\n';
        const { preview: hsbc } = await preview(app, merchant, charge, await send(app, merchant, known));
        expect(hsbc).toMatchObject({ bank: 'HSBC Hong Kong', questions: [], errors: [], entryCount: 1 });
        const open = 'Date,Amount,D/C\n02/10/2026,5.00,C\n02/10/2026,7.00,NEUTRAL\n';
        const uploadId = await send(app, merchant, open);
        const { preview: asked } = await preview(app, merchant, charge, uploadId);
        expect(asked).toMatchObject({
          bank: null,
          questions: [
            { kind: 'date_order', sample: '02/10/2026' },
            { kind: 'direction', sample: 'NEUTRAL' },
          ],
        });
        const answered = { ...asked.mapping, dateOrder: 'mdy', ignoredValues: ['neutral'] };
        const { preview: clear } = await preview(app, merchant, charge, uploadId, answered);
        expect(clear).toMatchObject({ questions: [], errors: [], mappingOrigin: 'provided' });
        expect(clear.rows.map(({ entry }: { entry: object }) => entry)).toMatchObject([
          { date: '2026-02-10', isBooked: true },
          { date: '2026-02-10', isBooked: false },
        ]);
      },
    );

    statementTest('that is not a statement is rejected immediately', async ({ app, merchant, charge }) => {
      const document = await send(app, merchant, '%PDF-1.7 a document', 'bank.pdf');
      expect(await preview(app, merchant, charge, document)).toMatchObject({ code: 'invalid_statement' });
      expect(await importFile(app, merchant, charge, document)).toEqual({
        code: 'invalid_statement',
        message: 'line 1: this is a PDF: ask the bank for camt.053, MT940 or CSV',
      });
      expect(await preview(app, merchant, charge, 'up_none')).toMatchObject({ code: 'upload_not_found' });
      expect(
        await preview(app, merchant, charge, document, undefined, app.otherMerchant.keys.live),
      ).toMatchObject({
        code: 'receiving_account_not_found',
      });
    });
  });

  statementTest('a preview truncates a long cell between characters', async ({ app, merchant, charge }) => {
    const content = `Date,Amount,Text\n2026-11-20,1.00,${'a'.repeat(199)}𠮷𠮷\n`;
    const { preview: displayed } = await preview(
      app,
      merchant,
      charge,
      await send(app, merchant, content),
      csvMapping({ referenceColumns: ['Text'] }),
    );
    expect(displayed.rows[0].cells[2]).toBe(`${'a'.repeat(199)}\ufffd…`);
  });

  statementTest(
    'a preview shows the accounts, and joins text that continues in the next row',
    async ({ app, merchant, charge }) => {
      const both = camtXml(ntry()).replace(
        '</Stmt>',
        `</Stmt><Stmt><Id>S2</Id><Acct><Id><Othr><Id>012-9</Id></Othr></Id></Acct>${ntry()}</Stmt>`,
      );
      expect(
        (await preview(app, merchant, charge, await send(app, merchant, both, 'camt.xml'))).preview,
      ).toMatchObject({
        accounts: ['HK0012345678', '012-9'],
        entryCount: 2,
      });
      const text = `Date,Description,Credit,Debit\n${toDay(charge)},FPS,5,\n,TIGER2345,,\n`;
      const { amountColumn: _, ...incompleteMapping } = csvMapping();
      const columns = {
        ...incompleteMapping,
        amountFormat: 'separate_columns',
        creditColumn: 'Credit',
        referenceColumns: ['Description'],
      };
      const { preview: read } = await preview(
        app,
        merchant,
        charge,
        await send(app, merchant, text),
        columns,
      );
      expect(read.accounts).toEqual([]);
      expect(read.rows.map(({ entry }: { entry: { reference: string } | null }) => entry?.reference)).toEqual(
        ['FPS TIGER2345', undefined],
      );
    },
  );

  statementTest(
    'the format of a file without entries is known, and null if its message is unknown',
    async ({ app, merchant, charge }) => {
      const uploadId = await send(app, merchant, camtXml('', { message: '054' }), 'camt.xml');
      expect((await preview(app, merchant, charge, uploadId)).preview).toMatchObject({
        format: 'camt_054',
        entryCount: 0,
        errors: [],
      });
      const { statement } = await importFile(app, merchant, charge, uploadId);
      await work(app);
      const { data } = await app.ask(statementQuery, {
        variables: { id: statement.id },
        as: merchant.keys.live,
      });
      expect(data.statement).toMatchObject({ status: 'completed', format: 'camt_054', entryCount: 0 });

      const { preview: unknown } = await preview(
        app,
        merchant,
        charge,
        await send(app, merchant, '<Document><CstmrCdtTrfInitn/></Document>', 'camt.xml'),
      );
      expect(unknown).toMatchObject({ format: null, entryCount: 0, errors: [{ line: 1 }] });
    },
  );

  describe('a broken file', () => {
    statementTest(
      'is stored as failed with the line and the reason, which the preview shows too',
      async ({ app, merchant, charge }) => {
        const good = ntry({ details: details('<RmtInf><Ustrd>x</Ustrd></RmtInf>') });
        const uploadId = await send(
          app,
          merchant,
          camtXml(`${good}\n${good.replace('CRDT', 'BOTH')}`),
          'camt.xml',
        );
        const { preview: displayed } = await preview(app, merchant, charge, uploadId);
        expect(displayed).toMatchObject({ format: 'camt_053', isComplete: false });
        const { statement } = await importFile(app, merchant, charge, uploadId);
        await work(app);
        const { data } = await app.ask(statementQuery, {
          variables: { id: statement.id },
          as: merchant.keys.live,
        });
        expect(data.statement).toMatchObject({
          status: 'failed',
          recordedCount: 0,
          transfers: { totalCount: 0 },
        });
        expect(data.statement.error).toEqual(displayed.errors[0]);
        expect(data.statement.error.message).toBe('<CdtDbtInd> "BOTH" is neither CRDT nor DBIT');
        const list = await app.ask(
          '{ statements(first: 5, filter: { statuses: [failed] }) { totalCount nodes { id } } }',
          { as: merchant.keys.live },
        );
        expect(list.data.statements).toEqual({ totalCount: 1, nodes: [{ id: statement.id }] });
        const foreign = await app.ask(statementQuery, {
          variables: { id: statement.id },
          as: app.otherMerchant.keys.live,
        });
        expect(foreign.data.statement).toBeNull();
      },
    );
  });

  statementTest(
    'updateStatementMapping saves the mapping of the receiving account',
    async ({ app, merchant, charge }) => {
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
        merchant.keys.live,
      );
      expect(receivingAccount.statementMapping).toEqual({
        dateColumn: 'Tanggal',
        referenceColumns: [],
        delimiter: ';',
      });
    },
  );

  statementTest(
    'the email address of the user who imported a file is shown only to keys with manage',
    async ({ app, merchant, charge }) => {
      const { service, clock } = app.context;
      const owner = await signInAs('owner', app, merchant);
      const user = await service.prisma.merchantUser.findFirstOrThrow({ where: { email: owner.email } });
      const { id } = await service.prisma.statement.create({
        data: {
          id: newId('statement', clock.now()),
          merchantId: merchant.merchant.id,
          mode: 'live',
          receivingAccountId: charge.receivingAccountId,
          format: 'mt940',
          fileName: 'march.sta',
          fileHash: 'hash of march',
          importedBy: `user:${user.id}`,
          resultCounts: {},
          createdAt: clock.now(),
        },
      });
      const query = `{ statement(id: "${id}") { importedBy { kind objectId name } } }`;
      const importedBy = { kind: 'user', objectId: user.id, name: owner.email };
      expect((await owner.ask(query)).data.statement).toEqual({ importedBy });
      expect((await app.ask(query, { as: merchant.keys.live })).data.statement).toEqual({ importedBy });
      const as = await seedApiKey(service, merchant, { permissions: ['read', 'transfers'] });
      expect((await app.ask(query, { as })).data.statement).toEqual({
        importedBy: { ...importedBy, name: null },
      });
    },
  );
});

describe('Transfers of statements', () => {
  transfersTest('are listed newest first, with a total for each statement', async ({ app, transfers }) => {
    const nodes = await list(app, 'first: 4');
    expect(nodes.map(({ id }) => id).sort()).toEqual([...transfers.keys()].sort());
    for (const { id, transfers: page } of nodes) {
      const all = transfers.get(id)!;
      expect(page.nodes).toEqual(
        all.slice(0, 4).map((transferId) => ({ id: transferId, statement: { id } })),
      );
      expect([page.totalCount, page.pageInfo.hasNextPage]).toEqual([all.length, all.length > 4]);
    }
  });

  transfersTest('are paged after and before a cursor', async ({ app, transfers }) => {
    const [id, all] = [...transfers][0]!;
    const getTransfers = (nodes: Json[]) => nodes.find((node) => node.id === id).transfers;
    const first = getTransfers(await list(app, 'first: 2'));
    const next = getTransfers(await list(app, `first: 2, after: "${first.pageInfo.endCursor}"`));
    expect(next.nodes.map((transfer: Json) => transfer.id)).toEqual(all.slice(2, 4));
    const back = getTransfers(await list(app, `last: 1, before: "${next.pageInfo.startCursor}"`));
    expect(back.nodes.map((transfer: Json) => transfer.id)).toEqual(all.slice(1, 2));
    expect(getTransfers(await list(app, 'last: 2')).nodes.map((transfer: Json) => transfer.id)).toEqual(
      all.slice(3, 5),
    );
  });

  transfersTest('are paged independently by two fields of one request', async ({ app, transfers }) => {
    const { data } = await app.ask(
      '{ statements { nodes { id one: transfers(first: 1) { nodes { id } } two: transfers(first: 2) { nodes { id amount } } } } }',
    );
    for (const { id, one, two } of data.statements.nodes) {
      expect([one.nodes.length, two.nodes.length]).toEqual(
        [1, 2].map((n) => Math.min(n, transfers.get(id)!.length)),
      );
    }
  });
});
