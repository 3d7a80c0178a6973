import type { ChargeStatus } from '../../../../prisma/client/client.ts';
import { lowestIdAt } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { DateRange } from './time-buckets.ts';

/** The filters that `charge_count` supports. */
export type CountFilter = {
  statuses?: readonly ChargeStatus[] | undefined;
  method?: string | undefined;
  customerCurrency?: string | undefined;
} & DateRange;

/** The values of a composed SQL statement, as `$1`, `$2`, …. */
export type SqlValues = unknown[];
const bind = (values: SqlValues, value: unknown): string => `$${values.push(value)}`;

/** Returns the conditions on columns that `charge` shares with the count tables. */
export function sharedConditions(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  const { merchantId, mode } = scope;
  const { method, customerCurrency } = filter;
  return [
    `merchant_id = ${bind(values, merchantId)}`,
    `mode = ${bind(values, mode)}::mode`,
    ...(method === undefined ? [] : [`method = ${bind(values, method)}`]),
    ...(customerCurrency === undefined ? [] : [`customer_currency = ${bind(values, customerCurrency)}`]),
  ].join(' AND ');
}

export function statusCondition(values: SqlValues, column: string, { statuses }: CountFilter): string {
  if (!statuses) return `${column} IS NOT NULL`;
  const [status] = statuses;
  return statuses.length === 1
    ? `${column} = ${bind(values, status)}::charge_status`
    : `${column} = ANY(${bind(values, [...statuses])}::charge_status[])`;
}

/** IDs begin with the creation time, so the index that orders the list also serves this range. */
function createdCondition(values: SqlValues, { from, until }: DateRange): string {
  return [
    ...(from ? [`id >= ${bind(values, lowestIdAt('charge', from))}`] : []),
    ...(until ? [`id < ${bind(values, lowestIdAt('charge', until))}`] : []),
    'true',
  ].join(' AND ');
}

/** Returns all conditions, for `charge`. */
export function listConditions(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  return [
    sharedConditions(values, scope, filter),
    ...(filter.statuses ? [statusCondition(values, 'status', filter)] : []),
    createdCondition(values, filter),
  ].join(' AND ');
}

/** Returns a condition on a date column that holds days or first days of months. */
export function dayCondition(values: SqlValues, column: string, { from, until }: DateRange): string {
  return [
    ...(from ? [`${column} >= ${bind(values, isoDay(from))}::date`] : []),
    ...(until ? [`${column} < ${bind(values, isoDay(until))}::date`] : []),
    'true',
  ].join(' AND ');
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
