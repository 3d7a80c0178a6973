import { Button } from '@mantine/core';
import { fillText } from '../../language/fill-text.ts';
import { capitalize, formatMode } from '../format/labels.ts';
import { t } from '../language/texts.ts';
import { useMode } from '../use-mode.ts';
import { PageHeader } from './page-header.tsx';

/**
 * Replaces the page of an object that is not in the current mode. Usually it is in the other mode; `hint` names
 * another possible cause.
 */
export function ObjectNotFound({ objectType, hint }: { objectType: string; hint?: string }) {
  const { mode, setMode } = useMode();
  const otherMode = mode === 'live' ? 'sandbox' : 'live';
  const text = fillText(t.components.thereIsNoWith, { objectType, mode: formatMode(mode) });
  return (
    <PageHeader
      title={fillText(t.components.notFound, { objectType: capitalize(objectType) })}
      text={hint === undefined ? text : `${text} ${hint}`}
    >
      <Button variant="default" onClick={() => setMode(otherMode)}>
        {fillText(t.components.switchToMode, { otherMode: formatMode(otherMode) })}
      </Button>
    </PageHeader>
  );
}
