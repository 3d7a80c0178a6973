import { Button } from '@mantine/core';
import { t } from '../language/texts.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/**
 * Replaces the page of an object that is not in the current mode. Usually it is in the other mode; `hint` names
 * another possible cause.
 */
export function ObjectNotFound({ title, hint }: { title: string; hint?: string }) {
  const { mode, setMode } = useMode();
  const isLive = mode === 'live';
  const text = isLive ? t.components.notInLiveMode : t.components.notInSandbox;
  return (
    <PageHeader title={title} text={hint === undefined ? text : `${text} ${hint}`}>
      <Button variant="default" onClick={() => setMode(isLive ? 'sandbox' : 'live')}>
        {isLive ? t.components.switchToSandbox : t.components.switchToLiveMode}
      </Button>
    </PageHeader>
  );
}
