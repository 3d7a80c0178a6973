import { useQuery } from 'urql';
import { FilterSelect } from '../../components/filter-bar.tsx';
import { useFilter } from '../../components/use-filter.ts';
import { graphql } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { getLinkName } from './checkout-link-row.ts';

/** Shows the checkout link that the list is limited to, if there is one, and removes it. */
export function CheckoutLinkFilter() {
  const id = useFilter().getFilter('link');
  return id === null ? null : <SelectedLink id={id} />;
}

function SelectedLink({ id }: { id: string }) {
  const [{ data }] = useQuery({ query: linkNameQuery, variables: { id } });
  const label = data?.checkoutLink ? getLinkName(data.checkoutLink) : t.checkoutLink.untitledLink;
  return <FilterSelect name="link" label={t.common.link} choices={[{ value: id, label }]} />;
}

const linkNameQuery = graphql(`
  query CheckoutLinkName($id: ID!) {
    checkoutLink(id: $id) {
      id
      name
      orders {
        name
      }
    }
  }
`);
