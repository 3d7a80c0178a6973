import { Anchor, Text, Title } from '@mantine/core';
import { CenteredPage } from './centered-page.tsx';

/** Replaces the dashboard at any other origin of the server, because the session cookie is not valid there. */
export function WrongAddressPage({ origin }: { origin: string }) {
  const url = origin + window.location.pathname + window.location.search;
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        The dashboard is at a different URL
      </Title>
      <Text>
        You can sign in only at the URL that this server is configured with:{' '}
        <Anchor href={url}>{origin}/dashboard</Anchor>
      </Text>
    </CenteredPage>
  );
}
