import { Button } from '@mantine/core';
import { PageHeader } from '../../parts/page-header.tsx';
import { useMode } from '../../use-mode.ts';

/** Most often the address of a charge of the other mode. */
export function NoSuchCharge() {
  const { mode, setMode } = useMode();
  const other = mode === 'live' ? 'sandbox' : 'live';
  return (
    <PageHeader title="No such charge" text={`There is no charge with this id in ${mode} mode.`}>
      <Button variant="default" onClick={() => setMode(other)}>
        Look in {other} mode
      </Button>
    </PageHeader>
  );
}
