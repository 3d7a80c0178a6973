import type pg from 'pg';
import { growing } from './fill-tables.ts';
import type { Sent } from './sent-sql.ts';

type Node = { 'Node Type': string; 'Relation Name'?: string; 'Plan Rows': number; Plans?: Node[] };

const pageMax = 200;

/**
 * What is wrong with how PostgreSQL carries out a statement: a table that grows is read from end to end, or more is
 * sorted than a page or two. Empty where nothing is, or where there is nothing to plan.
 */
export async function planFaults(db: pg.Pool | pg.ClientBase, { text, values }: Sent): Promise<string[]> {
  if (!/^\s*(?:select|with|update|delete|insert)/i.test(text)) return [];
  const { rows } = await db.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
  return faultsOf(rows[0]['QUERY PLAN'][0].Plan);
}

function faultsOf(node: Node): string[] {
  const { 'Node Type': type, 'Relation Name': table = '', Plans: parts = [] } = node;
  const own = [];
  if (type === 'Seq Scan' && growing.includes(table)) own.push(`reads all of ${table}`);
  const [sorted] = parts;
  if (type === 'Sort' && sorted && sorted['Plan Rows'] > pageMax && !isBounded(sorted))
    own.push(`sorts ${sorted['Plan Rows']} rows`);
  return [...own, ...parts.flatMap(faultsOf)];
}

/** Whether no more than a page comes from a node, whatever PostgreSQL expects. */
function isBounded({ 'Node Type': type, Plans: parts = [] }: Node): boolean {
  return type === 'Limit' || (!/Index|Bitmap|Seq/.test(type) && parts.some(isBounded));
}
