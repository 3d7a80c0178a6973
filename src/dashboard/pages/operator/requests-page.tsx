import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { useRead } from '../../graphql/use-read.ts';
import { MerchantTable } from './merchant-table.tsx';
import { merchantsQuery } from './merchants-query.ts';

/** Merchants that ask for the restricted operations. */
export default function RequestsPage() {
  const cursor = useCursor();
  const variables = { ...cursor.variables, filter: { restrictedAccess: 'requested' as const } };
  const read = useRead(merchantsQuery, variables);
  return (
    <>
      <PageHeader
        title="Access requests"
        text="Merchants whose volume fell short in some month and who asked for the restricted operations. Their figures stand on their pages."
      />
      <Section title="Waiting for you" flush>
        <Loaded read={read}>
          {({ merchants }) => (
            <Paged page={merchants} cursor={cursor} empty={<Empty title="Nothing waits" />}>
              {(rows) => <MerchantTable merchants={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
