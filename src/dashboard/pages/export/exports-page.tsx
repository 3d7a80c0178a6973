import { Button, Progress, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useCursor } from '../../parts/use-cursor.ts';
import { type ExportRow, exportsQuery } from './export-query.ts';
import { saveFile } from './use-export.ts';

const pollMs = 1_500;
const whole = new Intl.NumberFormat();

/** The files that were asked for and are kept still. */
export default function ExportsPage() {
  const cursor = useCursor();
  const [{ data, error }, reload] = useQuery({ query: exportsQuery, variables: cursor.variables });
  const refresh = () => reload({ requestPolicy: 'network-only' });
  const nodes = data?.exports.nodes as readonly ExportRow[] | undefined;
  useEffect(() => {
    if (!nodes?.some(({ status }) => status === 'queued' || status === 'running')) return;
    const timer = setTimeout(() => reload({ requestPolicy: 'network-only' }), pollMs);
    return () => clearTimeout(timer);
  }, [nodes, reload]);
  return (
    <>
      <PageHeader title="Exports" text="Files of your lists and books. Each is kept for a day." />
      <Section title="All exports" flush>
        <Loaded data={data} error={error} onRetry={refresh}>
          {({ exports: { pageInfo } }) => (
            <>
              {nodes && nodes.length > 0 ? (
                <DataTable label="Exports" columns={columns} rows={nodes} />
              ) : (
                <Empty title="No exports">
                  Lists, the reconciliation and the refunds to pay have a button for it.
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

const columns: Column<ExportRow>[] = [
  {
    title: 'File',
    cell: ({ fileName }) => (
      <Text size="sm" fw={600} span>
        {fileName}
      </Text>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={`export_${status}`} /> },
  {
    title: 'Rows',
    cell: (row) => (
      <Stack gap={4}>
        <Text size="sm" span>
          {row.errorReason ?? `${whole.format(row.rows)} ${row.rows === 1 ? 'row' : 'rows'}`}
        </Text>
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
      <Text size="sm" c="var(--causeway-muted)" span>
        <Moment at={createdAt} />
      </Text>
    ),
  },
  {
    title: 'Get',
    end: true,
    cell: (row) =>
      row.downloadUrl !== null && (
        <Button size="xs" variant="default" onClick={() => saveFile(row)}>
          Save file
        </Button>
      ),
  },
];
