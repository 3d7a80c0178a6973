import { Text } from '@mantine/core';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useIsOwner } from '../../viewer.ts';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-query.ts';

/** The settings apply in both modes. */
export default function SettingsPage() {
  const isOwner = useIsOwner();
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
        {({ me }) => <SettingsForm key={me.id} settings={me} isOwner={isOwner} />}
      </Loaded>
    </>
  );
}
