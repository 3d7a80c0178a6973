import { Anchor, Text, Title } from '@mantine/core';
import { fillText } from '../../language/fill-text.ts';
import { fillNodes } from '../language/fill-nodes.tsx';
import { t } from '../language/texts.ts';
import { CenteredPage } from './centered-page.tsx';

/** Replaces the dashboard at any other origin of the server, because the session cookie is not valid there. */
export function WrongAddressPage({ origin }: { origin: string }) {
  const url = origin + window.location.pathname + window.location.search;
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {t.shell.theDashboardIsAt}
      </Title>
      <Text>
        {fillNodes(t.shell.youCanSignIn, {
          link: <Anchor href={url}>{fillText(t.shell.dashboard, { origin })}</Anchor>,
        })}
      </Text>
    </CenteredPage>
  );
}
