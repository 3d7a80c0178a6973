import { Button } from '@mantine/core';
import { isUnderWay } from '../../format/under-way.ts';
import type { ExportInput } from './export-query.ts';
import type { useExport } from './use-export.ts';

/** Exports a list as it is filtered. */
export function ExportButton({ of, input }: { of: ReturnType<typeof useExport>; input: ExportInput }) {
  const isBusy = of.row !== undefined && isUnderWay(of.row);
  return (
    <Button variant="default" loading={isBusy} onClick={() => of.start({ byteOrderMark: true, ...input })}>
      Export CSV
    </Button>
  );
}
