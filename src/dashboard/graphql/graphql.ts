import type { initGraphQLTada } from 'gql.tada';
import { gql } from 'urql';
import type { introspection } from './introspection.d.ts';

type GraphqlTag = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    ID: string;
    Decimal: string;
    BigInt: string;
    DateTime: string;
    Date: string;
    CurrencyCode: string;
    CountryCode: string;
  };
}>;

/**
 * Parses an operation. TypeScript derives the types from the text and the schema at compile time, so gql.tada is
 * not in the bundle. `fragments` lists the fragments that the operation uses.
 */
export const graphql = ((text: string, fragments: never[] = []) =>
  gql(
    [text, ...fragments.map(() => '')] as unknown as TemplateStringsArray,
    ...fragments,
  )) as unknown as GraphqlTag;

export type { ResultOf, VariablesOf } from 'gql.tada';
