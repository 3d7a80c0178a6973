import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from 'urql';
import { useLive } from '../../graphql/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { useMay } from '../../viewer.ts';
import { chargesUpdated } from '../charge/charge-row.ts';
import { NewSession } from './new-session.tsx';
import { SessionTable } from './session-table.tsx';
import { sessionsQuery } from './sessions-query.ts';

/** The payments that are started for one customer each, by the merchant's shop over the API or here by hand. */
export default function SessionsPage() {
  const cursor = useCursor();
  const mayWrite = useMay('write');
  const [opened, { open, close }] = useDisclosure();
  const [{ data, error }, reload] = useQuery({ query: sessionsQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  useLive(chargesUpdated, {}, refresh);
  return (
    <>
      <PageHeader
        title="Sessions"
        text="One payment by one customer. Your shop starts them over the API; one can be made here too."
      >
        {mayWrite && <Button onClick={open}>New session</Button>}
      </PageHeader>
      <NewSession opened={opened} onClose={close} onMade={refresh} />
      <Section title="All sessions" flush>
        <Loaded data={data} error={error} onRetry={refresh} lines={6}>
          {({ sessions: { nodes, pageInfo } }) => (
            <>
              {nodes.length > 0 ? (
                <SessionTable sessions={nodes} />
              ) : (
                <Empty title="No sessions yet">
                  Your shop makes one for each purchase, with its API key. Make one here to send its address
                  yourself.
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
