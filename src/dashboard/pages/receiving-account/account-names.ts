import { graphql } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMethodName } from '../payment-methods.ts';

const accountNamesQuery = graphql(`
  query ReceivingAccountNames {
    receivingAccounts(first: 50) {
      nodes {
        id
        method
        account
        currency
        status
      }
    }
  }
`);

/** The newest accounts, to choose one of; undefined until they are read. */
export function useAccountNames() {
  const methodName = useMethodName();
  const read = useRead(accountNamesQuery);
  const accounts = read.data?.receivingAccounts.nodes.map(({ id, method, account, currency, status }) => {
    const parts = [methodName(method), account, currency, ...(status === 'retired' ? ['retired'] : [])];
    return { value: id, label: parts.join(' · '), currency };
  });
  return { ...read, data: accounts };
}
