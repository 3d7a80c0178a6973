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
import { t } from '../../language/texts.ts';
import { AccountantHint } from '../books/accountant-hint.tsx';
import { type ExportRow, exportsQuery } from './export-query.ts';
import { useSaveFile } from './use-export.ts';

const refreshMs = 1_500;

export default function ExportsPage() {
  const cursor = useCursor();
  const query = useCachedQuery(exportsQuery, cursor.variables);
  useInterval(query.data?.exports.nodes.some(isInProgress) ? refreshMs : null, query.refresh);
  return (
    <>
      <PageHeader title={t.common.exports} text={t.export.downloadsOfYourData} />
      <AccountantHint />
      <Section title={t.export.allExports} isFlush>
        <Loaded query={query}>
          {({ exports }) => (
            <Paged
              page={exports}
              cursor={cursor}
              empty={<EmptyState title={t.export.noExportsYet}>{t.export.useTheExportButton}</EmptyState>}
            >
              {(rows) => <DataTable label={t.common.exports} columns={columns} rows={rows} />}
            </Paged>
          )}
        </Loaded>
      </Section>
    </>
  );
}

const columns: TableColumn<ExportRow>[] = [
  {
    title: t.common.file,
    cell: ({ fileName }) => <RowName>{fileName}</RowName>,
  },
  { title: t.common.status, cell: ({ status }) => <StatusBadge status={`export_${status}`} /> },
  {
    title: t.export.rows,
    cell: (row) => (
      <Stack gap={4}>
        <span>{row.error ?? pluralize(row.writtenRowCount, t.export.rowCount)}</span>
        <DataAge at={row.dataAsOf} />
        {row.status === 'running' && (
          <Progress value={row.progress * 100} aria-label={t.export.exportProgress} />
        )}
      </Stack>
    ),
  },
  {
    title: t.common.requested,
    isEndAligned: true,
    cell: ({ createdAt }) => (
      <Muted>
        <Moment at={createdAt} />
      </Muted>
    ),
  },
  {
    title: t.export.download,
    isEndAligned: true,
    cell: (row) => row.downloadUrl !== null && <SaveButton row={row} />,
  },
];

function SaveButton({ row }: { row: ExportRow }) {
  const save = useSaveFile();
  return (
    <Button size="xs" variant="default" onClick={() => save(row)}>
      {t.export.download}
    </Button>
  );
}
