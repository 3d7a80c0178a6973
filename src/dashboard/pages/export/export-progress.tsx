import { Alert, Group, Progress, Text } from '@mantine/core';
import { fillText } from '../../../language/fill-text.ts';
import { Link } from '../../components/link.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { t } from '../../language/texts.ts';
import type { ExportRow } from './export-query.ts';

export function ExportProgress(props: { row: ExportRow | undefined; error: string | undefined }) {
  const { row, error } = props;
  if (error !== undefined) {
    return (
      <Alert color="red" variant="light" role="alert" mb="lg">
        {error}
      </Alert>
    );
  }
  if (!row) return null;
  if (row.status === 'failed') {
    return (
      <Alert color="red" variant="light" role="alert" mb="lg" title={t.export.exportFailed}>
        {row.error}
      </Alert>
    );
  }
  const isDone = row.status === 'completed';
  const text = isDone
    ? pluralize(row.writtenRowCount, t.export.downloaded, { fileName: row.fileName })
    : formatProgress(row);
  return (
    <Alert color={isDone ? 'teal' : 'blue'} variant="light" role="status" mb="lg">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{text}</Text>
        <Link to="/exports" size="sm">
          {t.export.allExports}
        </Link>
      </Group>
      {!isDone && <Progress value={row.progress * 100} mt="xs" aria-label={t.export.exportProgress} />}
    </Alert>
  );
}

function formatProgress({ fileName, writtenRowCount, totalRowCount }: ExportRow): string {
  return totalRowCount === null
    ? fillText(t.export.preparing, { fileName })
    : pluralize(totalRowCount, t.export.preparingOf, {
        fileName,
        writtenRowCount: formatCount(writtenRowCount),
      });
}
