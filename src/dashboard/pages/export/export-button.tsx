import { Button } from '@mantine/core';
import type { ExportInput } from './export-query.ts';
import type { useExport } from './use-export.ts';

/** Exports a list as it is filtered. */
export function ExportButton({ of, input }: { of: ReturnType<typeof useExport>; input: ExportInput }) {
  const isBusy = of.row?.status === 'queued' || of.row?.status === 'running';
  return (
    <Button variant="default" loading={isBusy} onClick={() => of.start({ byteOrderMark: true, ...input })}>
      Export CSV
    </Button>
  );
}
