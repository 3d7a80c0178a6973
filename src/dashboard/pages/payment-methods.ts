import { useCallback } from 'react';
import { useQuery } from 'urql';
import { formatCode } from '../format/labels.ts';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const paymentMethodsQuery = graphql(`
  query PaymentMethods {
    paymentMethods {
      method
      name
    }
  }
`);

export type PaymentMethodName = ResultOf<typeof paymentMethodsQuery>['paymentMethods'][number];

/**
 * For what asks for the methods that can be paid by, of which an answer without any says nothing of itself, and for what may
 * change them with an account, after which they are asked for anew.
 */
export const methodsContext = { additionalTypenames: ['PaymentMethod'] };

/** The methods the merchant can receive on, in this mode. They hardly change, so once a visit is enough. */
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

/** Names a method by its code, also one that the merchant receives on no more. */
export function useMethodName(): (code: string) => string {
  const [{ data }] = useQuery({ query: methodNamesQuery, requestPolicy: 'cache-first' });
  return useCallback(
    (code) =>
      data?.receivingAccountForms.find(({ method }) => method === code)?.methodName ?? formatCode(code),
    [data],
  );
}
