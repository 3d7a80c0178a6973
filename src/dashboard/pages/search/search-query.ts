import { useDebouncedValue } from '@mantine/hooks';
import { type TypedDocumentNode, useQuery } from 'urql';
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

const customerPickerQuery = graphql(`
  query CustomerPicker($text: String!) {
    search(text: $text, types: [customer], limit: 8) {
      customers {
        id
        email
        phone
        firstName
        lastName
      }
    }
  }
`);

export type FoundCustomer = SearchResults['customers'][number];

const transferSearchQuery = graphql(
  `
    query TransferSearch($text: String!) {
      search(text: $text, types: [transfer], limit: 8) {
        transfers {
          ...TransferRow
        }
      }
    }
  `,
  [transferRowFields],
);

export type SearchResults = NonNullable<ResultOf<typeof searchQuery>['search']>;

/** Waits for a pause in the typing, so that not every letter sends a query. */
const typingPauseMs = 150;

/** Searches all types while the user types. `results` is null before the first result. */
export function useSearch(text: string) {
  const { data, error, isCurrent } = useSettledQuery(searchQuery, text);
  return { results: data?.search ?? null, error, isCurrent };
}

export function useChargeSearch(text: string) {
  const { data, isCurrent } = useSettledQuery(chargeSearchQuery, text);
  return { items: data?.search?.charges ?? null, isCurrent };
}

export function useCustomerSearch(text: string) {
  const { data, isCurrent } = useSettledQuery(customerPickerQuery, text);
  return { items: data?.search?.customers ?? null, isCurrent };
}

export function useTransferSearch(text: string) {
  const { data, isCurrent } = useSettledQuery(transferSearchQuery, text);
  return { items: data?.search?.transfers ?? null, isCurrent };
}

/** Runs a query with the text as its variable after each pause in the typing. `data` is undefined without a text. */
function useSettledQuery<Data>(query: TypedDocumentNode<Data, { text: string }>, text: string) {
  const [settledText] = useDebouncedValue(text.trim(), typingPauseMs);
  const [{ data, error, fetching }] = useQuery({
    query,
    variables: { text: settledText },
    pause: settledText === '',
    requestPolicy: 'network-only',
  });
  const isCurrent = settledText === text.trim() && !fetching;
  return { data: settledText === '' ? undefined : data, error, isCurrent };
}
