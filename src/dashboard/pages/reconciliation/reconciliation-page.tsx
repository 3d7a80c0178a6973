import { Button, Group, SimpleGrid, TextInput } from '@mantine/core';
import { useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Section } from '../../parts/section.tsx';
import { useViewer } from '../../viewer.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { AccountBooks } from './account-books.tsx';
import { firstOfMonth, isDay, lastOfMonth, monthName, monthsLater, today } from './days.ts';
import { reconciliationQuery } from './reconciliation-query.ts';

type Span = { from: string; to: string };

/** What each account received and gave back in a month, or on any days. */
export default function ReconciliationPage() {
  const [span, choose] = useSpan();
  const [{ data, error, stale }, reload] = useQuery({ query: reconciliationQuery, variables: span });
  const { start, ...made } = useExport();
  const refresh = () => reload({ requestPolicy: 'network-only' });
  // What was shown for other days is none of these.
  const shown =
    data?.reconciliation.from === span.from && data.reconciliation.to === span.to ? data : undefined;
  return (
    <>
      <PageHeader
        title="Reconciliation"
        badge={monthName(span.from, span.to)}
        text={shown && `Days by the clock of ${shown.reconciliation.timeZone}, as it stands now.`}
      >
        <ExportButton of={{ start, ...made }} input={{ kind: 'reconciliation', ...span }} />
      </PageHeader>
      <ExportProgress {...made} />
      <SpanPicker span={span} onChoose={choose} />
      <div aria-busy={stale}>
        <Loaded data={shown} error={error} onRetry={refresh} lines={8}>
          {({ reconciliation: { lines } }) =>
            lines.length > 0 ? (
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                {lines.map((line) => (
                  <AccountBooks key={`${line.receivingAccount.id} ${line.currency}`} line={line} />
                ))}
              </SimpleGrid>
            ) : (
              <Section title="Accounts" flush>
                <Empty title="Nothing moved">No money came or went by the end of these days.</Empty>
              </Section>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

/** The days in the page's address; this month where there are none. */
function useSpan(): [Span, (span: Span) => void] {
  const { merchant } = useViewer();
  const [params, setParams] = useSearchParams();
  const now = today(merchant?.timeZone ?? 'UTC');
  const [from, to] = [params.get('from'), params.get('to')];
  const span =
    isDay(from) && isDay(to) && from <= to ? { from, to } : { from: firstOfMonth(now), to: lastOfMonth(now) };
  return [span, (chosen) => setParams(chosen)];
}

function SpanPicker({ span, onChoose }: { span: Span; onChoose: (span: Span) => void }) {
  const month = (step: number) => {
    const from = monthsLater(span.from, step);
    onChoose({ from, to: lastOfMonth(from) });
  };
  const day = (changed: Partial<Span>) => {
    const next = { ...span, ...changed };
    if (!isDay(next.from) || !isDay(next.to)) return;
    // The other end goes along rather than being in the way.
    if (next.from > next.to) onChoose({ from: changed.from ?? next.to, to: changed.to ?? next.from });
    else onChoose(next);
  };
  return (
    <Group component="search" gap="sm" align="flex-end" mb="lg">
      <Group gap="xs">
        <Button variant="default" onClick={() => month(-1)} aria-label="Month before">
          ‹
        </Button>
        <Button variant="default" onClick={() => month(1)} aria-label="Month after">
          ›
        </Button>
      </Group>
      <Group gap="sm">
        <TextInput
          type="date"
          label="From"
          value={span.from}
          onChange={(event) => day({ from: event.currentTarget.value })}
          w="9.5rem"
        />
        <TextInput
          type="date"
          label="To"
          value={span.to}
          onChange={(event) => day({ to: event.currentTarget.value })}
          w="9.5rem"
        />
      </Group>
    </Group>
  );
}
