import { Text } from '@mantine/core';
import { Loaded } from '../../components/loaded.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useFreshQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useIsOwner, useViewer } from '../../viewer.ts';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-query.ts';

/** Shows the settings of the merchant, which apply in both modes. */
export default function SettingsPage() {
  const isOwner = useIsOwner();
  const { merchant } = useViewer();
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
      {!merchant?.isDemo && <MailNotice />}
      <Loaded query={query} lines={10}>
        {({ me }) => <SettingsForm key={me.id} settings={me} isOwner={isOwner} />}
      </Loaded>
    </>
  );
}
