import { Button } from '@mantine/core';
import { capitalize } from '../format/labels.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/** In place of an object's page: most often its address is one of the other mode. `hint` says what else may be the cause. */
export function ObjectNotFound({ noun, hint }: { noun: string; hint?: string }) {
  const { mode, setMode } = useMode();
  const otherMode = mode === 'live' ? 'sandbox' : 'live';
  const text = `There is no ${noun} with this ID in ${mode} mode.`;
  return (
    <PageHeader title={`${capitalize(noun)} not found`} text={hint === undefined ? text : `${text} ${hint}`}>
      <Button variant="default" onClick={() => setMode(otherMode)}>
        Switch to {otherMode} mode
      </Button>
    </PageHeader>
  );
}
