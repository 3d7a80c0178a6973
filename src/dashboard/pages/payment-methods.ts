import { useCallback } from 'react';
import { useQuery } from 'urql';
import { formatCode } from '../format/labels.ts';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const paymentMethodsQuery = graphql(`
  query PaymentMethods {
    paymentMethods {
      code
      name
      currency
    }
  }
`);

export type PaymentMethodName = ResultOf<typeof paymentMethodsQuery>['paymentMethods'][number];

/**
 * The context for queries of payment methods, and for mutations that may change the methods. urql invalidates
 * cached queries by the types in their results, and an empty result contains no types.
 */
export const methodsContext = { additionalTypenames: ['PaymentMethod'] };

/**
 * Returns the methods that the merchant accepts in this mode. Methods rarely change, so they are loaded once per
 * client.
 */
export function usePaymentMethods(): readonly PaymentMethodName[] {
  const [{ data }] = useQuery({
    query: paymentMethodsQuery,
    requestPolicy: 'cache-first',
    context: methodsContext,
  });
  return data?.paymentMethods ?? [];
}

const methodNamesQuery = graphql(`
  query MethodNames {
    receivingAccountForms {
      method
      methodName
      country
      currency
    }
  }
`);

export type NamedMethod = ResultOf<typeof methodNamesQuery>['receivingAccountForms'][number];

/** Returns all methods for which there can be receiving accounts. */
export function useNamedMethods(): readonly NamedMethod[] {
  const [{ data }] = useQuery({ query: methodNamesQuery, requestPolicy: 'cache-first' });
  // A method has one form for each type of account.
  return [...new Map(data?.receivingAccountForms.map((form) => [form.method, form])).values()];
}

/** Returns a function that returns the name of a method, including methods that the merchant no longer accepts. */
export function useMethodName(): (code: string) => string {
  const [{ data }] = useQuery({ query: methodNamesQuery, requestPolicy: 'cache-first' });
  return useCallback(
    (code) =>
      data?.receivingAccountForms.find(({ method }) => method === code)?.methodName ?? formatCode(code),
    [data],
  );
}
