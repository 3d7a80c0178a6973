import type { Db } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { getIdType } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { readSnapshot } from '../../../kit/read-snapshot.ts';
import { queryPrepared } from '../../../kit/sql.ts';
import type { Queryable } from '../../../kit/with-client.ts';
import { buildSearchQuery, type SearchedType, searchedTypes } from './search-query.ts';

export const searchTextLengthMax = 200;

/** A word with more matches is considered common, and searched only among the newest objects. */
const matchesMax = 2_000;
const newestMax = 20_000;

type SearchOptions = MerchantScope & { text: string; types: readonly SearchedType[]; limit: number };
export type FoundIds = Record<SearchedType, string[]>;

/**
 * Returns the IDs of the newest objects of each type that a text finds: by names, parts of an email, amounts,
 * order IDs, items, references, invoice numbers and IDs. Finds common words only in the newest 20,000 objects of a
 * type, so that every search is fast.
 */
export async function search(db: Pick<Db, 'pool'>, options: SearchOptions): Promise<FoundIds> {
  const { text, types, limit, ...scope } = options;
  if (text.length > searchTextLengthMax)
    throw invalidInputError('/text', `must have at most ${searchTextLengthMax} characters`);
  const found = Object.fromEntries(searchedTypes.map((type) => [type, [] as string[]])) as FoundIds;
  const namedType = searchedTypes.find((type) => getIdType(text.trim()) === type);
  if (namedType && types.includes(namedType)) found[namedType] = [text.trim()];
  const queries = types.flatMap((type) => {
    const query = buildSearchQuery(scope, type, text);
    return query === null ? [] : { type, query };
  });
  if (queries.length === 0) return found;
  return readSnapshot(db, async (tx) => {
    // The planner estimates prefixes badly, and would read all entries for some.
    await tx.query('SET LOCAL enable_seqscan = off');
    for (const { type, query } of queries)
      found[type].push(...(await findIds(tx, { ...scope, type, query, limit })));
    return found;
  });
}

type TypeSearch = MerchantScope & { type: SearchedType; query: string; limit: number };

async function findIds(
  tx: Queryable,
  { merchantId, mode, type, query, limit }: TypeSearch,
): Promise<string[]> {
  const scope = [query, merchantId, mode];
  const [matches] = await queryPrepared<{ ids: string[] | null; count: bigint }>(tx, matchesSql, [
    ...scope,
    limit,
  ]);
  if (Number(matches!.count) < matchesMax) return matches!.ids ?? [];
  const rows = await queryPrepared<{ id: string }>(tx, buildNewestSql(type), [...scope, limit]);
  return rows.map(({ id }) => id);
}

const isMatch = `entry.words @@ $1::tsquery AND entry.merchant_id = $2 AND entry.mode = $3::mode`;
const matchesSql = `SELECT (array_agg(id ORDER BY id DESC))[1:$4] AS ids, count(*) AS count
  FROM (SELECT id FROM search_entry AS entry WHERE ${isMatch} LIMIT ${matchesMax}) AS matches`;
const buildNewestSql = (type: SearchedType) =>
  `SELECT entry.id FROM (
     SELECT id FROM ${type} WHERE merchant_id = $2 AND mode = $3::mode ORDER BY id DESC LIMIT ${newestMax}) AS newest
   JOIN search_entry AS entry USING (id) WHERE ${isMatch} ORDER BY id DESC LIMIT $4`;
