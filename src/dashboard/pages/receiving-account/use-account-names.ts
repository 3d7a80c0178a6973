import { pageInfoFields } from '../../components/use-cursor.ts';
import { formatMethod } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useAllPages } from '../../graphql/use-all-pages.ts';
import { t } from '../../language/texts.ts';

const accountNamesQuery = graphql(
  `
    query ReceivingAccountNames($after: String) {
      receivingAccounts(first: 50, after: $after) {
        nodes {
          id
          method
          account
          currency
          status
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [pageInfoFields],
);

const getAccounts = (data: ResultOf<typeof accountNamesQuery>) => data.receivingAccounts;

/**
 * Returns all accounts as choices for a select: first the active ones, then the deactivated ones, each newest
 * first. The data is undefined until all accounts are loaded.
 */
export function useAccountNames() {
  const query = useAllPages(accountNamesQuery, getAccounts);
  const sorted = query.data?.toSorted(
    (a, b) => Number(a.status === 'retired') - Number(b.status === 'retired'),
  );
  const accounts = sorted?.map(({ id, method, account, currency, status }) => {
    const labelParts = [
      formatMethod(method),
      account,
      currency,
      ...(status === 'retired' ? [t.common.deactivated] : []),
    ];
    return { value: id, label: labelParts.join(' · '), currency, isActive: status === 'active' };
  });
  return { ...query, data: accounts };
}
