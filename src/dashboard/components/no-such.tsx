import { Button } from '@mantine/core';
import { capitalised } from '../format/words.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/** In place of an object's page: most often its address is one of the other mode. `hint` says what else may be the cause. */
export function NoSuch({ noun, hint }: { noun: string; hint?: string }) {
  const { mode, setMode } = useMode();
  const other = mode === 'live' ? 'sandbox' : 'live';
  const text = `There is no ${noun} with this ID in ${mode} mode.`;
  return (
    <PageHeader title={`${capitalised(noun)} not found`} text={hint === undefined ? text : `${text} ${hint}`}>
      <Button variant="default" onClick={() => setMode(other)}>
        Switch to {other} mode
      </Button>
    </PageHeader>
  );
}
