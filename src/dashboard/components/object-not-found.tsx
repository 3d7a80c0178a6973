import { Button } from '@mantine/core';
import { capitalize } from '../format/labels.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/** Replaces an object's page. Usually its URL belongs to the other mode; `hint` names another possible cause. */
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
