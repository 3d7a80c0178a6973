/**
 * Measures how fast a worker imports a statement of each format, the memory of the worker, and how soon another worker
 * continues after a kill. No entry matches a charge, so each becomes a transfer that needs review, with an event, which
 * is the most expensive case.
 *   npm run bench -- imports [--entries 200000]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { importStatement } from '../src/domain/money-in/statement/import/import-statement.ts';
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
  const count = readCount(options, 'entries', 200_000);
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
    const id = await queueFile(service, createFile(count));
    const longestPauseMs = await waitForImport(service, id);
    const after = readCpuMs();
    rows.push({
      '': name,
      seconds: (performance.now() - start) / 1000,
      'CPU, worker (s)': (after.worker - before.worker) / 1000,
      'CPU, PostgreSQL (s)': (after.postgres - before.postgres) / 1000,
      'memory at first (MiB)': before.memory,
      'at most (MiB)': readPeakMiB(worker.pid),
      'longest time without progress (s)': longestPauseMs / 1000,
    });
  }
  printTable(rows);
  printTable([await measureResumption(database, count)]);
};

/** Kills a worker in the middle of an import, and measures the time until another worker has recorded more entries. */
async function measureResumption(
  { service, connectionString }: { service: Service; connectionString: string },
  count: number,
) {
  const id = await queueFile(service, { lines: generateCsv(count), mapping });
  const readRecordedCount = async () =>
    (await service.prisma.statement.findUniqueOrThrow({ where: { id } })).recordedCount;
  await using killed = await startBenchService({ connectionString, role: 'worker' });
  while ((await readRecordedCount()) < count / 2) await delay(pollMs);
  process.kill(killed.pid, 'SIGKILL');
  const start = performance.now();
  const before = await readRecordedCount();
  await using _next = await startBenchService({ connectionString, role: 'worker' });
  while ((await readRecordedCount()) <= before) await delay(pollMs);
  const seconds = (performance.now() - start) / 1000;
  await waitForImport(service, id);
  const transfers = await service.prisma.transfer.count({ where: { statementId: id } });
  return {
    'entries at the kill': before,
    'seconds until the next': seconds,
    'transfers at the end': transfers,
  };
}

/** Queues the import of a file for the receiving account of a new merchant, and returns its ID. */
async function queueFile(service: Service, { lines, mapping }: StatementFile): Promise<string> {
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
  return statement.id;
}

const pollMs = 250;

/** Waits until a worker has imported the file. Returns the longest time without progress. */
async function waitForImport(service: Service, id: string): Promise<number> {
  let progress = '';
  let progressedAt = performance.now();
  let longestPauseMs = 0;
  for (;;) {
    const { status, failureReason, ...row } = await service.prisma.statement.findUniqueOrThrow({
      where: { id },
    });
    if (status === 'completed') return longestPauseMs;
    if (status !== 'queued' && status !== 'running') throw new Error(failureReason ?? status);
    const current = `${row.bytesRead} ${row.recordedCount}`;
    longestPauseMs = Math.max(longestPauseMs, performance.now() - progressedAt);
    if (current !== progress) progressedAt = performance.now();
    progress = current;
    await delay(pollMs);
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
