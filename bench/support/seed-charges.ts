import type { Pool } from 'pg';
import type { Merchant } from '../../prisma/client/client.ts';
import { createMerchant, type ModeKeys } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createCharge } from '../../src/domain/payments/charge/create-charge.ts';
import { foldChargeCounts } from '../../src/domain/payments/charge-list/fold-charge-counts.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { methodCodes } from '../../src/method/catalog.ts';

export type SeededMerchant = { merchantId: string; keys: ModeKeys };

const customersPerMerchant = 200;
/** The charges are spread evenly over this number of days before the seeding. */
const seededDays = 365;

/**
 * Seeds sandbox charges over the last year, distributed evenly over the merchants: 95 % are completed, and about one in
 * 30 has a refund. The service creates one charge per method and merchant; SQL copies them. If the charges exist, only
 * deletes those that later runs have added. Throws if the folder has another number of charges. An interrupted seeding
 * must be repeated in an empty folder. Returns the first merchant.
 */
export async function seedCharges(
  service: Service,
  charges: number,
  { merchants = 100 }: { merchants?: number } = {},
): Promise<SeededMerchant> {
  const { pool } = service;
  await pool.query('CREATE TABLE IF NOT EXISTS bench_seed (charges int, first_merchant jsonb)');
  const previousSeed = await pool.query('SELECT * FROM bench_seed');
  if (previousSeed.rows[0]?.charges === charges) {
    await deleteLaterCharges(pool);
    return previousSeed.rows[0].first_merchant as SeededMerchant;
  }
  if (previousSeed.rows[0])
    throw new Error(`The folder holds ${previousSeed.rows[0].charges} charges; give another BENCH_DATA_DIR`);
  const now = new Date();
  let first: SeededMerchant | undefined;
  console.log(`Seeding ${charges} charges of ${merchants} merchants …`);
  for (let i = 0; i < merchants; i++) {
    const { merchant, keys } = await createMerchant(service, { input: { name: `Shop ${i}` }, now });
    await createSamples(service, merchant, now);
    first ??= { merchantId: merchant.id, keys: keys.sandbox };
  }
  await withoutIndexes(pool, () => copySamples(pool, charges));
  await foldChargeCounts(service);
  await pool.query('VACUUM ANALYZE');
  await pool.query('INSERT INTO bench_seed VALUES ($1, $2)', [charges, first]);
  return first!;
}

/**
 * Deletes the charges that earlier runs have added. They are newer than all seeded charges, and still pending, because
 * no job expires them.
 */
async function deleteLaterCharges(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ last: string }>(
    `SELECT max(id) AS last FROM charge WHERE status <> 'pending'`,
  );
  const values = [rows[0]!.last];
  const { rowCount } = await pool.query('DELETE FROM charge WHERE id > $1', values);
  if (!rowCount) return;
  await pool.query(`DELETE FROM event WHERE object_id > $1 AND object_id < 'ch_~'`, values);
  await pool.query('TRUNCATE idempotency_key');
  await pool.query('VACUUM ANALYZE');
}

/** Drops the non-unique indexes of charges during `work`, because building them afterwards takes less time. */
async function withoutIndexes(pool: Pool, work: () => Promise<void>): Promise<void> {
  const { rows } = await pool.query<{ name: string; text: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS text FROM pg_index
     WHERE indrelid = 'charge'::regclass AND NOT indisunique`,
  );
  for (const { name } of rows) await pool.query(`DROP INDEX ${name}`);
  await work();
  for (const { text } of rows) await pool.query(text);
}

async function copySamples(pool: Pool, charges: number): Promise<void> {
  await pool.query(createIdFunctionSql);
  // CREATE TABLE accepts no parameters.
  await pool.query(createCustomersSql.replace('$1', String(customersPerMerchant)));
  await pool.query(insertCustomersSql);
  await pool.query(numberSamplesSql);
  await pool.query(copyChargesSql, [charges, seededDays, customersPerMerchant]);
  await pool.query(insertRefundsSql);
}

async function createSamples(service: Service, merchant: Merchant, now: Date): Promise<void> {
  for (const method of methodCodes) {
    const input = {
      email: `sample@${merchant.id.replace('_', '-')}.example`,
      merchantAmount: 250,
      merchantCurrency: 'USD',
      method,
      orders: [
        { id: 'tea-7', name: 'Oolong, 250 g', quantity: 2, amount: 100 },
        { id: 'cup-2', name: 'Cup', quantity: 1, amount: 50 },
      ],
      notifyPayload: 'b3JkZXItMTIzNDU2',
    };
    await createCharge(service, { merchant, mode: 'sandbox', actor: 'job:bench', input, now });
  }
}

/** Creates a function that returns IDs like those of src/kit/id.ts. The digits of md5 are in the alphabet of IDs. */
const createIdFunctionSql = `
  CREATE OR REPLACE FUNCTION bench_id(prefix text, at timestamptz, n bigint) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT prefix || '_' || (
      SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
        (((extract(epoch FROM at) * 1000)::bigint >> (5 * (9 - i))) & 31)::int + 1, 1), '' ORDER BY i)
      FROM generate_series(0, 9) i
    ) || substr(md5(prefix || n), 1, 16)
  $$`;

const createCustomersSql = `
  CREATE TABLE bench_customer AS
    SELECT merchant_id, ordinal, bench_id('cus', now(), dense_rank() OVER (ORDER BY merchant_id) * 10000 + ordinal) AS id,
      'buyer' || ordinal || '@shop.example' AS email
    FROM (SELECT DISTINCT merchant_id FROM charge) merchants, generate_series(0, $1::int - 1) ordinal`;

const insertCustomersSql = `
  INSERT INTO customer (id, merchant_id, mode, email, created_at, updated_at)
    SELECT id, merchant_id, 'sandbox', email, now(), now() FROM bench_customer`;

const numberSamplesSql = `
  CREATE TABLE bench_sample AS
    SELECT row_number() OVER (ORDER BY method, merchant_id) - 1 AS number, charge AS sample FROM charge`;

/** Columns that are not listed have the value of the sample, so that new columns of charges need no change here. */
const copyChargesSql = `
  INSERT INTO charge
    SELECT copied.* FROM generate_series(1, $1::int) n
    CROSS JOIN LATERAL (
      SELECT date_trunc('milliseconds', now() - make_interval(days => $2::int) * (1 - n::float8 / $1::int)) AS at
    ) time
    JOIN bench_sample ON number = n % (SELECT count(*) FROM bench_sample)
    JOIN bench_customer ON bench_customer.merchant_id = (sample).merchant_id AND ordinal = (n / 7) % $3::int
    CROSS JOIN LATERAL jsonb_populate_record(sample, jsonb_build_object(
      'id', bench_id('ch', at, n),
      'payment_reference', translate(upper(substr(md5('word' || n), 1, 5)), '01', 'XY') || (2222 + n % 7777),
      'status', CASE WHEN n % 100 < 95 THEN 'completed' WHEN n % 100 < 98 THEN 'expired' ELSE 'cancelled' END,
      'completed_at', CASE WHEN n % 100 < 95 THEN at + interval '3 minutes' END,
      'completed_by', CASE WHEN n % 100 < 95 THEN 'sandbox' END,
      'customer_id', bench_customer.id,
      'email', bench_customer.email,
      'created_at', at,
      'updated_at', at + interval '3 minutes',
      'expires_at', at + interval '30 minutes'
    )) copied`;

const insertRefundsSql = `
  INSERT INTO refund (id, merchant_id, mode, charge_id, receiving_account_id, status, customer_amount,
      customer_currency, payout_reference, version, completed_at, created_at, updated_at)
    SELECT bench_id('re', completed_at, row_number() OVER ()), merchant_id, mode, id, receiving_account_id, 'completed',
      1, customer_currency, id, 1, completed_at, completed_at, completed_at
    FROM charge WHERE status = 'completed' AND right(id, 1) IN ('0', '1') AND substr(right(id, 2), 1, 1) < '4'`;
