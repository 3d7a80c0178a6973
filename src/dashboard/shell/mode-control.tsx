import { SegmentedControl } from '@mantine/core';
import { useLocation } from 'wouter';
import type { Mode } from '../graphql/client.ts';
import { useMode } from '../use-mode.ts';

/** Which of the two worlds the whole dashboard shows. */
export function ModeControl() {
  const { mode, setMode } = useMode();
  const [location, go] = useLocation();

  const change = (next: string) => {
    setMode(next as Mode);
    // What is open exists in the other mode only as a list.
    go(`/${location.split('/')[1] ?? ''}`);
  };

  return (
    <SegmentedControl
      aria-label="Mode"
      size="xs"
      value={mode}
      onChange={change}
      color={mode === 'sandbox' ? 'amber' : 'causeway'}
      data={[
        { value: 'live', label: 'Live' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}
