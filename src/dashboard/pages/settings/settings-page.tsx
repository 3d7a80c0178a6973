import { Stack, Text } from '@mantine/core';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useIsOwner } from '../../viewer.ts';
import { DeleteSandboxDataButton } from './delete-sandbox-data.tsx';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-query.ts';

/** The settings apply in both modes. In the sandbox, owners can also delete its data. */
export default function SettingsPage() {
  const isOwner = useIsOwner();
  const { mode } = useMode();
  const query = useFreshQuery(settingsQuery);
  return (
    <>
      <PageHeader
        title={t.common.settings}
        text={
          <>
            {t.settings.settingsApplyInLive}
            {!isOwner && <Text size="sm">{t.settings.onlyOwnersCanChange}</Text>}
          </>
        }
      />
      <Loaded query={query} lines={10}>
        {({ me }) => (
          <Stack gap="lg">
            <SettingsForm key={me.id} settings={me} isOwner={isOwner} />
            {isOwner && mode === 'sandbox' && <SandboxData />}
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function SandboxData() {
  return (
    <Section title={t.settings.sandboxData}>
      <Text size="sm" mb="md">
        {t.settings.emptyTheSandbox}
      </Text>
      <DeleteSandboxDataButton />
    </Section>
  );
}
