import { useQuery } from 'urql';
import { graphql } from '../graphql/graphql.ts';

const currenciesQuery = graphql(`
  query Currencies {
    currencies
  }
`);

/** The currencies in which one can ask; until they are loaded, the one that is chosen. They hardly change. */
export function useCurrencies(chosen: string): string[] {
  const [{ data }] = useQuery({ query: currenciesQuery, requestPolicy: 'cache-first' });
  return [...(data?.currencies ?? [chosen])];
}
