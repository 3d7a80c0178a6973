import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { SubscriptionFilterBar, useSubscriptionFilter } from './subscription-filter.tsx';
import { subscriptionsUpdated } from './subscription-row.ts';
import { SubscriptionTable } from './subscription-table.tsx';
import { subscriptionsQuery } from './subscriptions-query.ts';

/** All subscriptions, newest first. The page that is shown is read again whenever one changes. */
export default function SubscriptionsPage() {
  const cursor = useCursor();
  const { filter, isFiltered } = useSubscriptionFilter();
  const read = useRead(subscriptionsQuery, { filter, ...cursor.variables });
  useLive(subscriptionsUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader title="Subscriptions" text="Customers who pay again and again." />
      <SubscriptionFilterBar />
      <Section title={isFiltered ? 'Matching subscriptions' : 'All subscriptions'} flush>
        <Loaded read={read} lines={8}>
          {({ subscriptions }) => (
            <Paged
              page={subscriptions}
              cursor={cursor}
              empty={
                <Empty title={isFiltered ? 'No subscription matches' : 'No subscriptions yet'}>
                  {isFiltered ? (
                    'Choose another status or plan, or clear the e-mail.'
                  ) : (
                    <>
                      Open a <Link to="/plans">plan</Link> and send its link to a customer.
                    </>
                  )}
                </Empty>
              }
            >
              {(rows) => <SubscriptionTable subscriptions={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
