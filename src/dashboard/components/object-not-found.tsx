import { Button } from '@mantine/core';
import { capitalize } from '../format/labels.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/**
 * Replaces the page of an object that is not in the current mode. Usually it is in the other mode; `hint` names
 * another possible cause.
 */
export function ObjectNotFound({ objectType, hint }: { objectType: string; hint?: string }) {
  const { mode, setMode } = useMode();
  const otherMode = mode === 'live' ? 'sandbox' : 'live';
  const text = `There is no ${objectType} with this ID in ${mode} mode.`;
  return (
    <PageHeader
      title={`${capitalize(objectType)} not found`}
      text={hint === undefined ? text : `${text} ${hint}`}
    >
      <Button variant="default" onClick={() => setMode(otherMode)}>
        Switch to {otherMode} mode
      </Button>
    </PageHeader>
  );
}
