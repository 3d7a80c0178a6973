import type { initGraphQLTada } from 'gql.tada';
import { gql } from 'urql';
import type { introspection } from './introspection.d.ts';

type GraphqlTag = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    ID: string;
    Decimal: string;
    DateTime: string;
    Date: string;
    CurrencyCode: string;
    CountryCode: string;
  };
}>;

/**
 * Parses an operation. Its types are derived from its text by the schema at compile time, so gql.tada is not
 * in the bundle. `fragments` lists the fragments it uses.
 */
export const graphql = ((text: string, fragments: never[] = []) =>
  gql(
    [text, ...fragments.map(() => '')] as unknown as TemplateStringsArray,
    ...fragments,
  )) as unknown as GraphqlTag;

export type { ResultOf, VariablesOf } from 'gql.tada';
