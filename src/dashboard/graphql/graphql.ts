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
 * Makes an operation, typed by the schema: the types follow from its text while it is written, and gql.tada is not part
 * of the bundle. The fragments it uses come second, in a list.
 */
export const graphql = ((text: string, fragments: never[] = []) =>
  gql(
    [text, ...fragments.map(() => '')] as unknown as TemplateStringsArray,
    ...fragments,
  )) as unknown as GraphqlTag;

export type { ResultOf, VariablesOf } from 'gql.tada';
