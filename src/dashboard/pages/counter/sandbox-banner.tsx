import { Button, Text } from '@mantine/core';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import classes from './sandbox-banner.module.css';

/** Warns staff in the sandbox, whose codes look like real ones. */
export function SandboxBanner() {
  const { mode, setMode } = useMode();
  if (mode === 'live') return null;
  return (
    <div className={classes.banner} role="alert">
      <Text fw={700} size="xl">
        {t.counter.sandboxOnly}
      </Text>
      <Text size="sm">{t.counter.dontShowTheseCodes}</Text>
      <Button mt="xs" color="dark" onClick={() => setMode('live')}>
        {t.counter.switchToLive}
      </Button>
    </div>
  );
}
