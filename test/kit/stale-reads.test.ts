import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Db, Tx } from '../../src/kit/db.ts';
import type { Sql } from '../../src/kit/sql.ts';
import type { StaleReads } from '../../src/kit/stale-reads.ts';
import type { Queryable } from '../../src/kit/with-client.ts';

describe('Reads that a standby may answer', () => {
  /**
   * All code that reads from standbys. An addition must only show or export what it reads, and decide nothing
   * by it.
   */
  const users = [
    // The mechanism
    'src/kit/read-replicas.ts',
    'src/kit/stale-reads.ts',
    'src/domain/platform/service.ts',
    'schema/kit/stale-reader.ts',
    // Totals
    'schema/accounts/operator.ts',
    'src/domain/accounts/merchant/find-activities.ts',
    'schema/billing/subscription-summary.ts',
    'schema/money-in/books.ts',
    'schema/money-in/collected.ts',
    'schema/money-in/period-summary.ts',
    'schema/money-in/reconciliation.ts',
    'src/domain/billing/subscription/sum-subscriptions.ts',
    'src/domain/money-in/books/read-journal.ts',
    'src/domain/money-in/books/sum-books.ts',
    'src/domain/money-in/reconciliation/reconcile.ts',
    'src/domain/payments/charge-list/find-reporting-currency.ts',
    'src/domain/payments/charge-list/read-span-metrics.ts',
    'src/domain/payments/charge-list/sum-by-seller.ts',
    'src/domain/payments/charge-list/sum-collected.ts',
    'src/domain/payments/charge-list/summarize-period.ts',
    // The total of a search
    'schema/money-in/transfer.ts',
    // Exports, except for refund payouts
    'src/domain/payouts/export/build-exports.ts',
    'src/domain/payouts/export/export-source.ts',
    'src/domain/payouts/export/write-journal.ts',
    'src/domain/payouts/export/write-reconciliation.ts',
  ];

  test('are used only by totals and exports', () => {
    const files = ['src', 'schema'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => join(folder, file)),
    );
    const found = files.filter((file) =>
      /\bStaleReads\b|\bStaleReader\b|\b(?:readStale|chooseReader|toStaleReads)\(/.test(
        readFileSync(file, 'utf8'),
      ),
    );
    expect(found.toSorted()).toEqual(users.toSorted());
  });

  test('cannot be passed to functions that decide about changes', () => {
    const accept = {
      db: (_db: Pick<Db, 'prisma'>) => true,
      pool: (_db: Pick<Db, 'pool'>) => true,
      tx: (_tx: Tx) => true,
      queryable: (_client: Queryable) => true,
      sql: (_sql: Sql) => true,
    };
    const rejected = (reads: StaleReads) => [
      // @ts-expect-error: the compiler rejects the reads of a standby as a database.
      accept.db(reads),
      // @ts-expect-error: as above, as a pool.
      accept.pool(reads),
      // @ts-expect-error: as above, as a transaction.
      accept.tx(reads.stale),
      // @ts-expect-error: as above, as a connection.
      accept.queryable(reads),
      // @ts-expect-error: as above, as statements.
      accept.sql(reads.stale),
      // @ts-expect-error: nothing can be changed.
      reads.stale.charge.update,
      // @ts-expect-error: as above.
      reads.stale.$executeRaw,
      // @ts-expect-error: no transaction can begin.
      reads.stale.$transaction,
    ];
    expect(rejected).toHaveLength(1);
  });
});
