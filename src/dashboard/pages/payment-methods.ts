import { useCallback } from 'react';
import { useQuery } from 'urql';
import { formatCode } from '../format/labels.ts';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const paymentMethodsQuery = graphql(`
  query PaymentMethods {
    paymentMethods {
      code
      name
    }
  }
`);

export type PaymentMethodName = ResultOf<typeof paymentMethodsQuery>['paymentMethods'][number];

/**
 * The cache context for queries of payment methods, and for mutations that may change them. urql invalidates
 * queries by the types in their result, and an empty result contains none.
 */
export const methodsContext = { additionalTypenames: ['PaymentMethod'] };

/**
 * Returns the methods that the merchant can receive in this mode. They rarely change, so they are loaded once
 * per client.
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
    }
  }
`);

/** Returns a function that names a method by its code, including methods that the merchant no longer receives. */
export function useMethodName(): (code: string) => string {
  const [{ data }] = useQuery({ query: methodNamesQuery, requestPolicy: 'cache-first' });
  return useCallback(
    (code) =>
      data?.receivingAccountForms.find(({ method }) => method === code)?.methodName ?? formatCode(code),
    [data],
  );
}
