import { Button } from '@mantine/core';
import { isInProgress } from '../../format/is-in-progress.ts';
import { t } from '../../language/texts.ts';
import type { ExportInput } from './export-query.ts';
import type { useExport } from './use-export.ts';

export function ExportButton({
  exportJob,
  input,
}: {
  exportJob: ReturnType<typeof useExport>;
  input: ExportInput;
}) {
  const isBusy = exportJob.row !== undefined && isInProgress(exportJob.row);
  return (
    <Button
      variant="default"
      loading={isBusy}
      onClick={() => exportJob.start({ includeByteOrderMark: true, ...input })}
    >
      {t.export.exportCsv}
    </Button>
  );
}
