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
      <PageHeader title="Exports" text="Files of your lists and books. Each is kept for a day." />
      <Section title="All exports" flush>
        <Loaded read={read}>
          {({ exports }) => (
            <Paged
              page={exports}
              cursor={cursor}
              empty={
                <Empty title="No exports">
                  Lists, the reconciliation and the refunds to pay have a button for it.
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
        {row.status === 'running' && (
          <Progress value={row.progress * 100} aria-label="How much of the file is made" />
        )}
      </Stack>
    ),
  },
  {
    title: 'Asked for',
    end: true,
    cell: ({ createdAt }) => (
      <Quiet>
        <Moment at={createdAt} />
      </Quiet>
    ),
  },
  {
    title: 'Get',
    end: true,
    cell: (row) => row.downloadUrl !== null && <SaveButton row={row} />,
  },
];

function SaveButton({ row }: { row: ExportRow }) {
  const save = useSaveFile();
  return (
    <Button size="xs" variant="default" onClick={() => save(row)}>
      Save file
    </Button>
  );
}
