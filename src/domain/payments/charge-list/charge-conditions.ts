import type { ChargeStatus } from '../../../../prisma/client/client.ts';
import { getLowestId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { DateRange } from './time-buckets.ts';

/** The filters that `charge_count` supports. */
export type CountFilter = {
  statuses?: readonly ChargeStatus[] | undefined;
  method?: string | undefined;
  customerCurrency?: string | undefined;
} & DateRange;

/** The values of the parameters `$1`, `$2` and so on of a composed SQL statement. */
export type SqlValues = unknown[];
const bind = (values: SqlValues, value: unknown): string => `$${values.push(value)}`;

/** Returns the conditions on columns that `charge` shares with the count tables. */
export function buildSharedConditions(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  const { merchantId, mode } = scope;
  const { method, customerCurrency } = filter;
  return [
    `merchant_id = ${bind(values, merchantId)}`,
    `mode = ${bind(values, mode)}::mode`,
    ...(method === undefined ? [] : [`method = ${bind(values, method)}`]),
    ...(customerCurrency === undefined ? [] : [`customer_currency = ${bind(values, customerCurrency)}`]),
  ].join(' AND ');
}

export function buildStatusCondition(values: SqlValues, column: string, { statuses }: CountFilter): string {
  if (!statuses) return `${column} IS NOT NULL`;
  const [status] = statuses;
  return statuses.length === 1
    ? `${column} = ${bind(values, status)}::charge_status`
    : `${column} = ANY(${bind(values, [...statuses])}::charge_status[])`;
}

/**
 * Returns a condition on the creation time. IDs begin with the creation time, so the condition uses the index
 * by which the list is ordered.
 */
function buildCreatedCondition(values: SqlValues, { from, until }: DateRange): string {
  return [
    ...(from ? [`id >= ${bind(values, getLowestId('charge', from))}`] : []),
    ...(until ? [`id < ${bind(values, getLowestId('charge', until))}`] : []),
    'true',
  ].join(' AND ');
}

/** Returns all conditions of the filter, on columns of `charge`. */
export function buildListConditions(values: SqlValues, scope: MerchantScope, filter: CountFilter): string {
  return [
    buildSharedConditions(values, scope, filter),
    ...(filter.statuses ? [buildStatusCondition(values, 'status', filter)] : []),
    buildCreatedCondition(values, filter),
  ].join(' AND ');
}

/** Returns a condition on a date column that contains days, or the first days of months. */
export function buildDayCondition(values: SqlValues, column: string, { from, until }: DateRange): string {
  return [
    ...(from ? [`${column} >= ${bind(values, isoDay(from))}::date`] : []),
    ...(until ? [`${column} < ${bind(values, isoDay(until))}::date`] : []),
    'true',
  ].join(' AND ');
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
