import { Button, Stack, Text } from '@mantine/core';
import { Section } from '../../components/section.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';

/** Points from the empty live mode of a demo to the sandbox, which has sample data. */
export function SandboxHint() {
  const { mode, setMode } = useMode();
  if (mode === 'sandbox') return null;
  return (
    <Section title={t.home.startInTheSandbox}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{t.home.liveModeIsStill}</Text>
        <Button variant="default" onClick={() => setMode('sandbox')}>
          {t.components.switchToSandbox}
        </Button>
      </Stack>
    </Section>
  );
}
