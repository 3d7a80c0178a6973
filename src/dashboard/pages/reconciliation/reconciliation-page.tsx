import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { Amount } from '../../components/amount.tsx';
import { Empty } from '../../components/empty.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { isZero } from '../../format/amount.ts';
import {
  firstOfMonth,
  isDay,
  isWholeMonth,
  lastOfMonth,
  monthName,
  monthsLater,
  today,
} from '../../format/days.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useViewer } from '../../viewer.ts';
import { ExportButton } from '../export/export-button.tsx';
import { ExportProgress } from '../export/export-progress.tsx';
import { useExport } from '../export/use-export.ts';
import { useMethodName } from '../payment-methods.ts';
import classes from './account-books.module.css';
import { type Span, spanWith } from './span.ts';

/** What each account received and gave back in a month, or on any days. */
export default function ReconciliationPage() {
  const [span, choose] = useSpan();
  const read = useRead(reconciliationQuery, span);
  const { start, ...made } = useExport();
  // What was shown for other days is none of these.
  const { reconciliation: books } = read.data ?? {};
  const shown = books?.from === span.from && books.to === span.to ? books : undefined;
  return (
    <>
      <PageHeader
        title="Reconciliation"
        badge={isWholeMonth(span.from, span.to) ? monthName(span.from) : undefined}
        text={shown && `Days in ${shown.timeZone} time, as of now.`}
      >
        <ExportButton of={{ start, ...made }} input={{ kind: 'reconciliation', ...span }} />
      </PageHeader>
      <ExportProgress {...made} />
      <SpanPicker span={span} onChoose={choose} />
      <div aria-busy={read.isLoading}>
        <Loaded key={`${span.from} ${span.to}`} read={{ ...read, data: shown }} lines={8}>
          {({ lines }) =>
            lines.length > 0 ? (
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                {lines.map((line) => (
                  <AccountBooks key={`${line.receivingAccount.id} ${line.currency}`} line={line} />
                ))}
              </SimpleGrid>
            ) : (
              <Section title="Accounts" flush>
                <Empty title="No activity">No money moved up to the end of this period.</Empty>
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
  return (
    <Group component="search" gap="sm" align="flex-end" mb="lg">
      <Group gap="xs">
        <Button variant="default" onClick={() => month(-1)} aria-label="Previous month">
          ‹
        </Button>
        <Button variant="default" onClick={() => month(1)} aria-label="Next month">
          ›
        </Button>
      </Group>
      <Group gap="sm">
        <DayField label="From" end="from" span={span} onChoose={onChoose} />
        <DayField label="To" end="to" span={span} onChoose={onChoose} />
      </Group>
    </Group>
  );
}

/** One end of the days. What is typed into it is taken at once where it fits, else when the field is left. */
function DayField(props: { label: string; end: keyof Span; span: Span; onChoose: (span: Span) => void }) {
  const { label, end, span, onChoose } = props;
  const present = span[end];
  const [written, setWritten] = useState(present);
  useEffect(() => setWritten(present), [present]);
  const take = (day: string, isLeft: boolean) => {
    setWritten(day);
    const next = spanWith(span, { end, day, isLeft });
    if (next) onChoose(next);
    else if (isLeft) setWritten(present);
  };
  return (
    <TextInput
      type="date"
      label={label}
      value={written}
      onChange={(event) => take(event.currentTarget.value, false)}
      onBlur={() => take(written, true)}
      onKeyDown={(event) => event.key === 'Enter' && take(written, true)}
      w="9.5rem"
    />
  );
}

/** The books of one account in one currency, as one would write them down. */
function AccountBooks({ line }: { line: ReconciliationLine }) {
  const methodName = useMethodName();
  const { receivingAccount: account, currency } = line;
  const row = (name: ReactNode, value: string, look?: 'part' | 'total') => (
    <tr className={look && classes[look]}>
      <th scope="row">{name}</th>
      <td>
        <Amount value={value} currency={currency} />
      </td>
    </tr>
  );
  return (
    <Section
      title={`${methodName(account.method)} · ${currency}`}
      aside={
        <Text size="sm" c="var(--causeway-muted)" span>
          {account.bank} {account.account}
        </Text>
      }
    >
      <table
        className={classes.books}
        aria-label={`Reconciliation of ${account.bank} ${account.account}, ${currency}`}
      >
        <tbody>
          {row('Opening', line.opening)}
          {row('Received', line.received)}
          {row('Matched to charges', line.matched, 'part')}
          {row('Partial payments', line.partial, 'part')}
          {row(
            isZero(line.exceptions) ? (
              'Needs review'
            ) : (
              <Link to={`/transfers?status=exception&account=${account.id}`}>Needs review</Link>
            ),
            line.exceptions,
            'part',
          )}
          {row('Returned or reversed', line.returned, 'part')}
          {row('Less returned or reversed', line.returned)}
          {row('Less refunds paid', line.refunded)}
          {row('Closing', line.closing, 'total')}
          {!isZero(line.otherOutgoing) && row('Other outgoing (not included)', line.otherOutgoing, 'part')}
        </tbody>
      </table>
    </Section>
  );
}

const reconciliationQuery = graphql(`
  query Reconciliation($from: Date!, $to: Date!) {
    reconciliation(from: $from, to: $to) {
      from
      to
      timeZone
      lines {
        currency
        opening
        received
        matched
        partial
        exceptions
        returned
        refunded
        closing
        otherOutgoing
        receivingAccount {
          id
          method
          bank
          account
        }
      }
    }
  }
`);

type ReconciliationLine = ResultOf<typeof reconciliationQuery>['reconciliation']['lines'][number];
