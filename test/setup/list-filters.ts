/** A filter of a list: the parameter with its value, and which rows it selects. */
export type ListFilter<Row> = { name: string; query: string; selects: (row: Row) => boolean };

/** Names each parameter with the filters that are tried for it. */
export function listFilters<Row>(
  byName: Record<string, [query: string, selects: (row: Row) => boolean][]>,
): ListFilter<Row>[] {
  return Object.entries(byName).flatMap(([name, filters]) =>
    filters.map(([query, selects]) => ({ name, query, selects })),
  );
}

/** The rows that all filters select together. A phone is ignored beside an email, as the interface says. */
export function selectRows<Row>(rows: readonly Row[], chosen: readonly ListFilter<Row>[]): Row[] {
  const hasEmail = chosen.some(({ name }) => name === 'customerEmail');
  const used = chosen.filter(({ name }) => !(hasEmail && name === 'customerPhone'));
  return rows.filter((row) => used.every(({ selects }) => selects(row)));
}

/** Every two filters of different parameters. */
export function filterPairs<Row>(filters: readonly ListFilter<Row>[]): [ListFilter<Row>, ListFilter<Row>][] {
  return filters.flatMap((one, i) =>
    filters
      .slice(i + 1)
      .filter((other) => other.name !== one.name)
      .map((other): [ListFilter<Row>, ListFilter<Row>] => [one, other]),
  );
}

/**
 * The pairs of parameters for which no pair of filters shows that both count: a service that ignores one of them would
 * answer every such pair correctly.
 */
export function undecidedPairs<Row>(rows: readonly Row[], filters: readonly ListFilter<Row>[]): string[] {
  const count = (chosen: ListFilter<Row>[]) => selectRows(rows, chosen).length;
  const decides = ([one, other]: [ListFilter<Row>, ListFilter<Row>], ignored: ListFilter<Row>) =>
    count([one, other]) !== count(ignored === one ? [other] : [one]);
  const byNames = Map.groupBy(filterPairs(filters), ([one, other]) => `${one.name} ${other.name}`);
  return [...byNames]
    .filter(
      ([, pairs]) =>
        !pairs.some((pair) => decides(pair, pair[1])) || !pairs.some((pair) => decides(pair, pair[0])),
    )
    .map(([names]) => names);
}
