import type { ChargeStatus } from '../../../../prisma/client/client.ts';
import { timeBound } from '../../../kit/id.ts';
import type { Owner } from '../../../kit/owner.ts';
import type { Stretch } from './charge-spans.ts';

/** What a list of charges is counted by: see charge_count. Dates as a stretch of time. */
export type CountedFilter = {
  statuses?: readonly ChargeStatus[] | undefined;
  method?: string | undefined;
  customerCurrency?: string | undefined;
} & Stretch;

/** SQL that is put together of conditions, with its values as $1, $2, … */
export type Values = unknown[];
const place = (values: Values, value: unknown): string => `$${values.push(value)}`;

/** Whose, and which: conditions on the columns that charge and the tables of its counts have in common. */
export function sharedConditions(values: Values, owner: Owner, filter: CountedFilter): string {
  const { merchantId, mode } = owner;
  const { method, customerCurrency } = filter;
  return [
    `merchant_id = ${place(values, merchantId)}`,
    `mode = ${place(values, mode)}::mode`,
    ...(method === undefined ? [] : [`method = ${place(values, method)}`]),
    ...(customerCurrency === undefined ? [] : [`customer_currency = ${place(values, customerCurrency)}`]),
  ].join(' AND ');
}

/** Of one of the statuses asked for. */
export function statusCondition(values: Values, column: string, { statuses }: CountedFilter): string {
  if (!statuses) return `${column} IS NOT NULL`;
  const [only] = statuses;
  return statuses.length === 1
    ? `${column} = ${place(values, only)}::charge_status`
    : `${column} = ANY(${place(values, [...statuses])}::charge_status[])`;
}

/** Made in the stretch: ids begin with the time, so the index that orders the list finds it. */
function madeCondition(values: Values, { from, until }: Stretch): string {
  return [
    ...(from ? [`id >= ${place(values, timeBound('charge', from))}`] : []),
    ...(until ? [`id < ${place(values, timeBound('charge', until))}`] : []),
    'true',
  ].join(' AND ');
}

/** All of it, on charge itself. */
export function listConditions(values: Values, owner: Owner, filter: CountedFilter): string {
  return [
    sharedConditions(values, owner, filter),
    ...(filter.statuses ? [statusCondition(values, 'status', filter)] : []),
    madeCondition(values, filter),
  ].join(' AND ');
}

/** On days, or in months, of the stretch: on a column of dates. */
export function dayCondition(values: Values, column: string, { from, until }: Stretch): string {
  return [
    ...(from ? [`${column} >= ${place(values, isoDay(from))}::date`] : []),
    ...(until ? [`${column} < ${place(values, isoDay(until))}::date`] : []),
    'true',
  ].join(' AND ');
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
