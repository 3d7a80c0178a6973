import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { MerchantTable } from './merchant-table.tsx';
import { merchantsQuery } from './merchants-query.ts';

export default function RequestsPage() {
  const cursor = useCursor();
  const variables = { ...cursor.variables, filter: { restrictedAccess: 'requested' as const } };
  const query = useCachedQuery(merchantsQuery, variables);
  return (
    <>
      <PageHeader title={t.operator.accessRequests} text={t.operator.merchantsThatRequestedRestricted} />
      <Section title={t.operator.pendingRequests} isFlush>
        <Loaded query={query}>
          {({ merchants }) => (
            <Paged
              page={merchants}
              cursor={cursor}
              empty={<EmptyState title={t.operator.noPendingRequests} />}
            >
              {(rows) => <MerchantTable merchants={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
