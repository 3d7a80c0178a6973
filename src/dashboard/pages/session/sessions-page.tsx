import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLive } from '../../graphql/use-live.ts';
import { useRead } from '../../graphql/use-read.ts';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Paged } from '../../parts/paged.tsx';
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
  const read = useRead(sessionsQuery, cursor.variables);
  useLive(chargesUpdated, {}, read.refresh);
  return (
    <>
      <PageHeader
        title="Sessions"
        text="One payment by one customer. Your shop starts them over the API; one can be made here too."
      >
        {mayWrite && <Button onClick={open}>New session</Button>}
      </PageHeader>
      <NewSession opened={opened} onClose={close} onMade={read.refresh} />
      <Section title="All sessions" flush>
        <Loaded read={read} lines={6}>
          {({ sessions }) => (
            <Paged
              page={sessions}
              cursor={cursor}
              empty={
                <Empty title="No sessions yet">
                  Your shop makes one for each purchase, with its API key. Make one here to send its address
                  yourself.
                </Empty>
              }
            >
              {(rows) => <SessionTable sessions={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}
