import { Button, Progress, Stack } from '@mantine/core';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Paged } from '../../components/paged.tsx';
import { Quiet } from '../../components/quiet.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Name } from '../../components/two-lines.tsx';
import { useCursor } from '../../components/use-cursor.ts';
import { counted } from '../../format/count.ts';
import { isUnderWay } from '../../format/under-way.ts';
import { useInterval } from '../../graphql/use-interval.ts';
import { useRead } from '../../graphql/use-read.ts';
import { type ExportRow, exportsQuery } from './export-query.ts';
import { useSaveFile } from './use-export.ts';

const refreshMs = 1_500;

/** The files that were asked for and are kept still. */
export default function ExportsPage() {
  const cursor = useCursor();
  const read = useRead(exportsQuery, cursor.variables);
  useInterval(read.data?.exports.nodes.some(isUnderWay) ? refreshMs : null, read.refresh);
  return (
    <>
      <PageHeader title="Exports" text="Downloads of your data, kept for 24 hours." />
      <Section title="All exports" flush>
        <Loaded read={read}>
          {({ exports }) => (
            <Paged
              page={exports}
              cursor={cursor}
              empty={
                <Empty title="No exports yet">
                  Use the export button on a list, the reconciliation or the refund payouts.
                </Empty>
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

const columns: Column<ExportRow>[] = [
  {
    title: 'File',
    cell: ({ fileName }) => <Name>{fileName}</Name>,
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`export_${status}`} /> },
  {
    title: 'Rows',
    cell: (row) => (
      <Stack gap={4}>
        <span>{row.errorReason ?? counted(row.rows, 'row')}</span>
        {row.status === 'running' && <Progress value={row.progress * 100} aria-label="Export progress" />}
      </Stack>
    ),
  },
  {
    title: 'Requested',
    end: true,
    cell: ({ createdAt }) => (
      <Quiet>
        <Moment at={createdAt} />
      </Quiet>
    ),
  },
  {
    title: 'Download',
    end: true,
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
