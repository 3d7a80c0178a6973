import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { MerchantTable } from './merchant-table.tsx';
import { merchantsQuery } from './merchants-query.ts';

/** Lists the merchants that have requested restricted operations. */
export default function RequestsPage() {
  const cursor = useCursor();
  const variables = { ...cursor.variables, filter: { restrictedAccess: 'requested' as const } };
  const query = useCachedQuery(merchantsQuery, variables);
  return (
    <>
      <PageHeader
        title="Access requests"
        text="Merchants that requested restricted access, with too low a volume for automatic approval in at least one of the last six months. Open a merchant to see its figures."
      />
      <Section title="Pending requests" isFlush>
        <Loaded query={query}>
          {({ merchants }) => (
            <Paged page={merchants} cursor={cursor} empty={<EmptyState title="No pending requests" />}>
              {(rows) => <MerchantTable merchants={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
