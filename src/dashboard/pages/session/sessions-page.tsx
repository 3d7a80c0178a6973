import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';

const sessionsQuery = graphql(`
  query Sessions($first: Int, $after: String, $last: Int, $before: String) {
    sessions(first: $first, after: $after, last: $last, before: $before) {
      nodes {
        id
        status
        amount
        currency
        expiresAt
        createdAt
        charge {
          id
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`);

type SessionRow = ResultOf<typeof sessionsQuery>['sessions']['nodes'][number];

const columns: Column<SessionRow>[] = [
  { title: 'Amount', cell: ({ amount, currency }) => <Amount value={amount} currency={currency} /> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Charge',
    cell: ({ charge }) =>
      charge ? <Link to={`/charges/${charge.id}`}>Show charge</Link> : <Quiet>none</Quiet>,
  },
  {
    title: 'Made',
    end: true,
    cell: ({ createdAt }) => (
      <Quiet>
        <Moment at={createdAt} />
      </Quiet>
    ),
  },
  { title: 'Session', cell: ({ id }) => <CopyText text={id} what="session id" /> },
];

function Quiet({ children }: { children: React.ReactNode }) {
  return (
    <Text size="sm" c="var(--causeway-muted)" span>
      {children}
    </Text>
  );
}

/** The sessions that the merchant's shop has made over the API. */
export default function SessionsPage() {
  const cursor = useCursor();
  const [{ data, error }, reload] = useQuery({ query: sessionsQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHeader title="Sessions" text="One-time payments that your shop starts over the API." />
      <Section title="All sessions" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ sessions: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <DataTable label="Sessions" columns={columns} rows={nodes} />
              ) : (
                <Empty title="No sessions yet">
                  Your shop makes one for each purchase, with its API key.
                </Empty>
              )}
              <Pager cursor={cursor} pageInfo={pageInfo} />
            </>
          )}
        </Loaded>
      </Section>
    </>
  );
}
