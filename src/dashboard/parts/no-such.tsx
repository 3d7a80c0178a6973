import { Button } from '@mantine/core';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/** In place of an object's page: most often its address is one of the other mode. */
export function NoSuch({ noun }: { noun: string }) {
  const { mode, setMode } = useMode();
  const other = mode === 'live' ? 'sandbox' : 'live';
  return (
    <PageHeader title={`No such ${noun}`} text={`There is no ${noun} with this id in ${mode} mode.`}>
      <Button variant="default" onClick={() => setMode(other)}>
        Look in {other} mode
      </Button>
    </PageHeader>
  );
}
