import type { Export } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Clock } from '../../../kit/clock.ts';
import { byteOrderMark, formatHeader, formatLines } from '../../../kit/csv.ts';
import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { getLeaseEnd, isLeaseFree } from '../../../kit/lease.ts';
import { isOfRunningMerchant } from '../../../kit/running-merchants.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { isUnavailable } from '../../../kit/unavailable.ts';
import { chooseReader, type Service } from '../../platform/service.ts';
import { writePayouts } from '../payout/write-payouts.ts';
import { chargeSource } from './charge-source.ts';
import { exportRetentionMs } from './create-export.ts';
import { customerSource } from './customer-source.ts';
import { unmarkPayouts } from './delete-exports.ts';
import { type ExportRequest, toExportRequest } from './export-request.ts';
import type { ExportSource } from './export-source.ts';
import { packChunk } from './pack-chunk.ts';
import { refundSource } from './refund-source.ts';
import { transferSource } from './transfer-source.ts';
import { writeJournalPage, writeXeroJournal } from './write-journal.ts';
import { writeReconciliation } from './write-reconciliation.ts';

type ExportService = Db & Pick<Service, 'secrets' | 'replicas'>;

/** If a worker does not renew its lease, another worker may take over the export after this time. */
const leaseMs = minuteMs;
/**
 * After this many pages, the worker switches to the export with the fewest rows so far, so that a large export does
 * not delay small ones.
 */
const pagesPerClaim = 20;
const internalErrorReason = 'an internal error stopped the export: see the log of the service';

/**
 * Builds the queued exports page by page. Each page is written together with the new position in one
 * transaction, so a killed worker loses at most one page. Stops when `signal` aborts; the next run of any
 * worker continues. Returns the number of claims.
 */
export async function buildExports(
  service: ExportService,
  options: { clock: Clock; signal?: AbortSignal; pagesPerClaim?: number },
): Promise<number> {
  const { clock, signal } = options;
  for (let claimCount = 0; ; claimCount++) {
    const row = signal?.aborted ? undefined : await claimExport(service, clock.now());
    if (!row) return claimCount;
    await buildExport(service, row, { pagesPerClaim, ...options });
  }
}

/** Claims the export with the fewest rows so far that no worker is building, the oldest among equals. */
async function claimExport(db: Db, now: Date): Promise<Export | undefined> {
  return transact(db, async ({ tx }) => {
    const [next] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM export WHERE status IN ('queued', 'running') AND ${isLeaseFree(now)} AND ${isOfRunningMerchant}
      ORDER BY rows, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
    if (!next) return undefined;
    return tx.export.update({
      where: { id: next.id },
      data: { status: 'running', leasedUntil: getLeaseEnd(now, leaseMs) },
    });
  });
}

async function buildExport(
  service: ExportService,
  row: Export,
  options: { clock: Clock; signal?: AbortSignal; pagesPerClaim: number },
): Promise<void> {
  const { clock, signal } = options;
  let current = row;
  try {
    for (let pages = 0; current.status === 'running'; pages++) {
      if (signal?.aborted || pages === options.pagesPerClaim)
        return await releaseExport(service, current, clock.now());
      const now = clock.now();
      const leasedUntil = getLeaseEnd(now, leaseMs);
      const next = await buildStep(service, current, { leasedUntil, now });
      // The lease has expired and another worker has taken over.
      if (!next) return;
      current = next;
    }
  } catch (error) {
    // Another worker continues after the lease.
    if (isUnavailable(error)) throw error;
    const reason = error instanceof DomainError ? error.message : internalErrorReason;
    await failExport(service, current, { reason, now: clock.now() });
    if (!(error instanceof DomainError)) throw error;
  }
}

/** Ends the lease early, so that the next worker does not have to wait. */
async function releaseExport(db: Db, { id, leasedUntil }: Export, now: Date): Promise<void> {
  await db.prisma.export.updateMany({
    where: { id, leasedUntil, status: 'running' },
    data: { leasedUntil: now },
  });
}

/** The refunds of a failed payout file can be exported again. */
async function failExport(
  db: Db,
  row: Export,
  { reason, now }: { reason: string; now: Date },
): Promise<void> {
  const { id, leasedUntil } = row;
  await transact(db, async ({ tx }) => {
    const { count } = await tx.export.updateMany({
      where: { id, leasedUntil, status: 'running' },
      data: { status: 'failed', failureReason: reason, leasedUntil: null, finishedAt: now },
    });
    if (count > 0) await unmarkPayouts(tx, row);
  });
}

/** The number of rows per page and chunk: a few hundred kilobytes. */
export const pageRows = 1_000;

function getEarlier(first: Date | null, second: Date | null): Date | null {
  return first && second ? (first < second ? first : second) : (first ?? second);
}

type ExportPage = { text: string; rows: number; total: number; lastId: string | null; isLast: boolean };
/** `dataAsOf` is null if the page was read from the primary. */
type ExportStep = ExportPage & { dataAsOf: Date | null };

/**
 * Reads the next page and writes it as a chunk, with the new position, in one transaction. Returns undefined
 * if another worker has taken over the export.
 */
export async function buildStep(
  service: ExportService,
  row: Export,
  { leasedUntil, now }: { leasedUntil: Date; now: Date },
): Promise<Export | undefined> {
  const step = await readStep(service, row, now);
  const bytes = Buffer.from(step.text, 'utf8');
  return transact(service, async ({ tx }) => {
    const [updated] = await tx.export.updateManyAndReturn({
      where: { id: row.id, status: 'running', leasedUntil: row.leasedUntil },
      data: {
        chunkCount: { increment: bytes.length > 0 ? 1 : 0 },
        size: { increment: bytes.length },
        rows: { increment: step.rows },
        total: step.total,
        lastId: step.lastId,
        dataAsOf: getEarlier(row.dataAsOf, step.dataAsOf),
        ...(step.isLast
          ? {
              status: 'completed',
              leasedUntil: null,
              finishedAt: now,
              expiresAt: new Date(now.getTime() + exportRetentionMs),
            }
          : { leasedUntil }),
      },
    });
    if (updated && bytes.length > 0) {
      const key = { exportId: row.id, position: row.chunkCount };
      await tx.exportChunk.create({ data: packChunk(service.secrets, key, bytes) });
    }
    return updated;
  });
}

/**
 * Reads everything but payouts from a standby, if there is one, with at least the changes until the request
 * of the export.
 */
async function readStep(service: ExportService, row: Export, now: Date): Promise<ExportStep> {
  const request = toExportRequest(row);
  if (request.kind === 'payouts')
    return { ...toSinglePage('', await writePayouts(service, row, request, now)), dataAsOf: null };
  const reader = await chooseReader(service, { includes: row.createdAt });
  const page = await reader.read((reads) => readPage(reads, row, request));
  return { ...page, dataAsOf: reader.asOf ?? null };
}

function readPage(
  reads: StaleReads,
  row: Export,
  request: Exclude<ExportRequest, { kind: 'payouts' }>,
): Promise<ExportPage> {
  const bom = request.includeByteOrderMark && row.format === 'csv' ? byteOrderMark : '';
  switch (request.kind) {
    case 'charges':
      return readRows(reads, row, { source: chargeSource, ...request, bom });
    case 'refunds':
      return readRows(reads, row, { source: refundSource, ...request, bom });
    case 'transfers':
      return readRows(reads, row, { source: transferSource, ...request, bom });
    case 'customers':
      return readRows(reads, row, { source: customerSource, ...request, bom });
    case 'journal':
      if (request.format === 'xero')
        return writeXeroJournal(reads, row, request).then((file) => toSinglePage(bom, file));
      return readJournalPage(reads, row, { request, entryCount: pageRows, bom });
    case 'reconciliation':
      return writeReconciliation(reads, row, request).then((file) => toSinglePage(bom, file));
  }
}

/** The total is unknown until the last page, because counting the entries takes as long as reading them. */
async function readJournalPage(
  reads: StaleReads,
  row: Export,
  options: Parameters<typeof writeJournalPage>[2],
): Promise<ExportPage> {
  const { text, rows, cursor } = await writeJournalPage(reads, row, options);
  const isLast = cursor === null;
  return { text, rows, total: row.rows + rows + (isLast ? 0 : 1), lastId: cursor, isLast };
}

function toSinglePage(bom: string, { text, rows }: { text: string; rows: number }): ExportPage {
  return { text: bom + text, rows, total: rows, lastId: null, isLast: true };
}

/**
 * Reads the page after `lastId`. Rows created after the first page are never included: the pages descend, or the filter
 * ends at the newest row.
 */
async function readRows<Row extends { id: string }>(
  reads: StaleReads,
  row: Export,
  options: { source: ExportSource<Row>; where: object; reverse?: boolean; bom: string },
): Promise<ExportPage> {
  const { source, where, reverse = false, bom } = options;
  const { merchantId, mode, lastId } = row;
  const scopedFilter = { AND: [where, { merchantId, mode }] };
  const total = row.total ?? (await source.count(reads, scopedFilter));
  const bound = lastId === null ? {} : { id: reverse ? { gt: lastId } : { lt: lastId } };
  const page = { orderBy: { id: reverse ? 'asc' : 'desc' }, take: pageRows } as const;
  const rows = await source.read(reads, { AND: [scopedFilter, bound] }, page);
  const header = row.chunkCount === 0 ? bom + formatHeader(source.columns) : '';
  return {
    text: header + formatLines(source.columns, rows),
    rows: rows.length,
    total,
    lastId: rows.at(-1)?.id ?? lastId,
    isLast: rows.length < pageRows,
  };
}
