import { useQuery } from 'urql';
import { findTimeZoneCountry } from '../../method/country-time-zones.ts';
import { sortByCountry } from '../../method/sort-by-country.ts';
import { getDisplayTimeZone } from '../format/moment.ts';
import { graphql, type ResultOf } from '../graphql/graphql.ts';

const paymentMethodsQuery = graphql(`
  query PaymentMethods {
    paymentMethods {
      code
      country
      currency
    }
    viewer {
      merchant {
        id
        country
      }
    }
  }
`);

export type AcceptedMethod = ResultOf<typeof paymentMethodsQuery>['paymentMethods'][number];

/**
 * The context for queries of payment methods, and for mutations that may change the methods. urql invalidates
 * cached queries by the types in their results, and an empty result contains no types.
 */
export const methodsContext = { additionalTypenames: ['PaymentMethod'] };

/** Returns the country of the merchant's settings or, until it is set, the country of the time zone. */
export function guessCountry(country: string | null | undefined): string | null {
  return country ?? findTimeZoneCountry(getDisplayTimeZone());
}

/**
 * Returns the methods that the merchant accepts in this mode, those of the merchant's country first. Methods rarely
 * change, so they are loaded once per client.
 */
export function usePaymentMethods(): readonly AcceptedMethod[] {
  const [{ data }] = useQuery({
    query: paymentMethodsQuery,
    requestPolicy: 'cache-first',
    context: methodsContext,
  });
  return sortByCountry(data?.paymentMethods ?? [], guessCountry(data?.viewer?.merchant?.country));
}

/** Returns the country of the merchant's settings, or undefined if it is not set. */
export function useMerchantCountry(): string | undefined {
  const [{ data }] = useQuery({
    query: paymentMethodsQuery,
    requestPolicy: 'cache-first',
    context: methodsContext,
  });
  return data?.viewer?.merchant?.country ?? undefined;
}

const methodRegionsQuery = graphql(`
  query MethodRegions {
    receivingAccountForms {
      method
      country
      currency
    }
  }
`);

export type MethodRegion = ResultOf<typeof methodRegionsQuery>['receivingAccountForms'][number];

/** Returns the country and currency of each method for which there can be receiving accounts. */
export function useMethodRegions(): readonly MethodRegion[] {
  const [{ data }] = useQuery({ query: methodRegionsQuery, requestPolicy: 'cache-first' });
  // A method has one form for each type of account.
  return [...new Map(data?.receivingAccountForms.map((form) => [form.method, form])).values()];
}
