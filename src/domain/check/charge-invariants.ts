const spans = (day: string) =>
  `LATERAL (VALUES ('all'::charge_count_grain, date '1970-01-01'), ('month', date_trunc('month', ${day})::date), ('day', ${day}))
     AS span(grain, start)`;

export const chargeInvariants = [
  {
    name: 'charge_counts',
    promise:
      'The counts of charges, with what is not added to them yet, are those of the charges, of each day and month',
    sql: `WITH changes AS (
            SELECT d.merchant_id, d.mode, d.day, change.status, d.method, d.customer_currency, change.gain
            FROM charge_count_delta d, LATERAL (VALUES (d.to_status, 1), (d.from_status, -1)) AS change(status, gain)
            WHERE change.status IS NOT NULL
            UNION ALL
            SELECT merchant_id, mode, (created_at AT TIME ZONE 'UTC')::date, status, method, customer_currency, -count(*)
            FROM charge GROUP BY 1, 2, 3, 4, 5, 6
          )
          SELECT merchant_id, mode, grain, start, status, method, customer_currency FROM (
            SELECT merchant_id, mode, grain, start, status, method, customer_currency, count FROM charge_count
            UNION ALL
            SELECT merchant_id, mode, span.grain, span.start, status, method, customer_currency, gain
            FROM changes, ${spans('day')}
          ) counts GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(count) <> 0`,
  },
];
