import { Button, Progress, Stack } from '@mantine/core';
import { DataAge } from '../../components/data-age.tsx';
import { DataTable, type TableColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { Muted } from '../../components/muted.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { RowName } from '../../components/two-lines.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { pluralize } from '../../format/count.ts';
import { isInProgress } from '../../format/is-in-progress.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { type ExportRow, exportsQuery } from './export-query.ts';
import { useSaveFile } from './use-export.ts';

const refreshMs = 1_500;

export default function ExportsPage() {
  const cursor = useCursor();
  const query = useCachedQuery(exportsQuery, cursor.variables);
  useInterval(query.data?.exports.nodes.some(isInProgress) ? refreshMs : null, query.refresh);
  return (
    <>
      <PageHeader title="Exports" text="Downloads of your data, kept for 24 hours." />
      <Section title="All exports" isFlush>
        <Loaded query={query}>
          {({ exports }) => (
            <Paged
              page={exports}
              cursor={cursor}
              empty={
                <EmptyState title="No exports yet">
                  Use the export button on a list, or on the pages Reconciliation and Refund payouts.
                </EmptyState>
              }
            >
              {(rows) => <DataTable label="Exports" columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<ExportRow>[] = [
  {
    title: 'File',
    cell: ({ fileName }) => <RowName>{fileName}</RowName>,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`export_${status}`} /> },
  {
    title: 'Rows',
    cell: (row) => (
      <Stack gap={4}>
        <span>{row.failureReason ?? pluralize(row.writtenRowCount, 'row')}</span>
        <DataAge at={row.dataAsOf} />
        {row.status === 'running' && <Progress value={row.progress * 100} aria-label="Export progress" />}
      </Stack>
    ),
  },
  {
    title: 'Requested',
    isEndAligned: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} />
      </Muted>
    ),
  },
  {
    title: 'Download',
    isEndAligned: true,
    cell: (row) => row.downloadUrl !== null && <SaveButton row={row} />,
  },
];

function SaveButton({ row }: { row: ExportRow }) {
  const save = useSaveFile();
  return (
    <Button size="xs" variant="default" onClick={() => save(row)}>
      Download
    </Button>
  );
}
