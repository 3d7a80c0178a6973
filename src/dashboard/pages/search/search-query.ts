import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { chargeRowFields } from '../charge/charge-row.ts';
import { invoiceRowFields } from '../invoice/invoice-row.ts';
import { refundRowFields } from '../refund/refund-row.ts';
import { subscriptionRowFields } from '../subscription/subscription-row.ts';
import { transferRowFields } from '../transfer/transfer-row.ts';

const searchQuery = graphql(
  `
    query Search($text: String!) {
      search(text: $text) {
        charges {
          ...ChargeRow
        }
        transfers {
          ...TransferRow
        }
        customers {
          id
          email
          phone
          firstName
          lastName
        }
        refunds {
          ...RefundRow
        }
        subscriptions {
          ...SubscriptionRow
        }
        invoices {
          ...InvoiceRow
        }
      }
    }
  `,
  [chargeRowFields, transferRowFields, refundRowFields, subscriptionRowFields, invoiceRowFields],
);

const chargeSearchQuery = graphql(
  `
    query ChargeSearch($text: String!) {
      search(text: $text, types: [charge], limit: 8) {
        charges {
          ...ChargeRow
        }
      }
    }
  `,
  [chargeRowFields],
);

export type SearchResults = NonNullable<ResultOf<typeof searchQuery>['search']>;

/** Waits for a pause in the typing, so that not every letter sends a query. */
const typingPauseMs = 150;

/** Searches all types while the user types. `results` is null before the first result. */
export function useSearch(text: string) {
  const [settledText] = useDebouncedValue(text.trim(), typingPauseMs);
  const [{ data, error, fetching }] = useQuery({
    query: searchQuery,
    variables: { text: settledText },
    pause: settledText === '',
    requestPolicy: 'network-only',
  });
  const isCurrent = settledText === text.trim() && !fetching;
  return { results: settledText === '' ? null : (data?.search ?? null), error, isCurrent };
}

export function useChargeSearch(text: string) {
  const [settledText] = useDebouncedValue(text.trim(), typingPauseMs);
  const [{ data, error, fetching }] = useQuery({
    query: chargeSearchQuery,
    variables: { text: settledText },
    pause: settledText === '',
    requestPolicy: 'network-only',
  });
  const isCurrent = settledText === text.trim() && !fetching;
  return { charges: settledText === '' ? null : (data?.search?.charges ?? null), error, isCurrent };
}
