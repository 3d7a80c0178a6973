/**
 * Measures how fast a worker imports a statement of each format, and the memory of the worker. No entry matches a
 * charge, so each becomes a transfer that needs review, with an event, which is the most expensive case.
 *   npm run bench -- imports [--entries 100000]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { importStatement } from '../src/domain/money-in/statement/import-statement.ts';
import type { Service } from '../src/domain/platform/service.ts';
import { storeUpload } from '../src/domain/platform/upload/store-upload.ts';
import { openBenchDatabase } from './support/bench-database.ts';
import { startBenchService } from './support/bench-service.ts';
import { type Benchmark, readCount } from './support/benchmark.ts';
import { readPeakMiB, readProcessCpuMs, readProcessTreeCpuMs } from './support/cpu.ts';
import { printTable } from './support/table.ts';

const bookingDate = '2026-11-20';

type StatementFile = { lines: Iterable<string>; mapping?: object };

const fileFactories: Record<string, (count: number) => StatementFile> = {
  'camt.053': (count) => ({ lines: generateCamt(count) }),
  MT940: (count) => ({ lines: generateMt940(count) }),
  CSV: (count) => ({ lines: generateCsv(count), mapping }),
};

export const benchmark: Benchmark = async (options) => {
  const count = readCount(options, 'entries', 100_000);
  await using database = await openBenchDatabase('imports');
  const { service, connectionString, postgresPid } = database;
  const rows = [];
  for (const [name, createFile] of Object.entries(fileFactories)) {
    // Each format gets a new worker, because peak memory is measured per process.
    await using worker = await startBenchService({ connectionString, role: 'worker' });
    const readCpuMs = () => ({
      worker: readProcessCpuMs(worker.pid),
      postgres: readProcessTreeCpuMs(postgresPid),
    });
    const before = { ...readCpuMs(), memory: readPeakMiB(worker.pid) };
    const start = performance.now();
    await importFile(service, createFile(count));
    const after = readCpuMs();
    rows.push({
      '': name,
      seconds: (performance.now() - start) / 1000,
      'CPU, worker (s)': (after.worker - before.worker) / 1000,
      'CPU, PostgreSQL (s)': (after.postgres - before.postgres) / 1000,
      'memory at first (MiB)': before.memory,
      'at most (MiB)': readPeakMiB(worker.pid),
    });
  }
  printTable(rows);
};

/** Imports a file for the receiving account of a new merchant, and waits until the worker has processed it. */
async function importFile(service: Service, { lines, mapping }: StatementFile): Promise<void> {
  const now = new Date();
  const { merchant } = await createMerchant(service, {
    input: { name: 'Bench', hasDemoAccounts: true },
    now,
  });
  const scope = { merchantId: merchant.id, mode: 'live', actor: 'job:bench', now } as const;
  const account = await service.prisma.receivingAccount.findFirstOrThrow({
    where: { merchantId: merchant.id, mode: 'live', method: 'fps' },
  });
  const { id: uploadId } = await storeUpload(service, {
    ...scope,
    fileName: 'bench',
    source: toBlocks(lines),
  });
  const input = { ...scope, uploadId, receivingAccountId: account.id, mapping, systemNow: now };
  const { statement } = await importStatement(service, input);
  for (;;) {
    const { status, errorReason } = await service.prisma.statement.findUniqueOrThrow({
      where: { id: statement.id },
    });
    if (status === 'completed') return;
    if (status === 'failed') throw new Error(errorReason ?? 'failed');
    await delay(250);
  }
}

async function* toBlocks(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  let block = '';
  for (const line of lines) {
    block += `${line}\n`;
    if (block.length < 65_536) continue;
    yield Buffer.from(block);
    block = '';
  }
  yield Buffer.from(block);
}

const toAmount = (n: number) => `${1 + (n % 500)}.50`;

function* generateCamt(count: number): Generator<string> {
  yield '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>';
  for (let n = 0; n < count; n += 1) {
    yield `<Ntry><Amt Ccy="HKD">${toAmount(n)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${bookingDate}</Dt></BookgDt><AcctSvcrRef>C${n}</AcctSvcrRef><NtryDtls><TxDtls><RltdPties><Dbtr><Pty>
<Nm>CHAN TAI MAN</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>order ${n}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;
  }
  yield '</Stmt></BkToCstmrStmt></Document>';
}

function* generateMt940(count: number): Generator<string> {
  let sum = 0;
  yield ':20:S\n:25:012-345678\n:28C:1/1\n:60F:C261119HKD0,';
  for (let n = 0; n < count; n += 1) {
    sum += Math.round(Number(toAmount(n)) * 100);
    yield `:61:2611201120C${toAmount(n).replace('.', ',')}NTRFNONREF//M${n}\n:86:FPS CHAN TAI MAN order ${n}`;
  }
  yield `:62F:C261120HKD${(sum / 100).toFixed(2).replace('.', ',')}\n-`;
}

function* generateCsv(count: number): Generator<string> {
  yield 'Date,Amount,Text,Payer,Ref';
  for (let n = 0; n < count; n += 1) yield `${bookingDate},${toAmount(n)},order ${n},CHAN TAI MAN,R${n}`;
}

const mapping = {
  encoding: 'utf-8',
  delimiter: ',',
  skipLines: 0,
  hasHeader: true,
  footerRows: 0,
  decimalMark: '.',
  dateOrder: 'ymd',
  hasBuddhistYears: false,
  dateColumn: 'Date',
  amountFormat: 'signed',
  amountColumn: 'Amount',
  referenceColumns: ['Text'],
  payerNameColumn: 'Payer',
  bankReferenceColumn: 'Ref',
};
