import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar, FilterTexts } from '../../parts/filter-bar.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { filterOf, useFilter } from '../../parts/use-filter.ts';
import { MerchantTable } from './merchant-table.tsx';
import { merchantsQuery } from './merchants-query.ts';
import { NewMerchant } from './new-merchant.tsx';

/** All merchants of the installation. */
export default function MerchantsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = filterOf({ search: useFilter().read('search') });
  const read = useRead(merchantsQuery, { filter, ...cursor.variables });
  return (
    <>
      <PageHeader title="Merchants" text="Everybody who collects payments on this installation.">
        <NewMerchant />
      </PageHeader>
      <FilterBar>
        <FilterTexts
          fields={[
            {
              name: 'search',
              label: 'Find a merchant',
              type: 'search',
              placeholder: 'Part of the name, an id, or a user’s e-mail',
              maxLength: 254,
            },
          ]}
        />
      </FilterBar>
      <Section title={isFiltered ? 'Matching merchants' : 'All merchants'} flush>
        <Loaded read={read} lines={8}>
          {({ merchants }) => (
            <Paged
              page={merchants}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No merchant matches' : 'No merchants yet'}>
                  {isFiltered
                    ? 'Look for a part of the name, a whole id, or the whole e-mail address of a user.'
                    : 'Open an account, and its first owner is invited by mail.'}
                </Empty>
              }
            >
              {(rows) => <MerchantTable merchants={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
