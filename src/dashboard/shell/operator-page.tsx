import { Anchor, Button, Text, Title } from '@mantine/core';
import { CenteredPage } from './centered-page.tsx';
import { useSignOut } from './use-sign-out.ts';

/** An operator runs the installation and acts for no merchant. */
export function OperatorPage({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const signOut = useSignOut(onSignedOut);
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        Operator
      </Title>
      <Text>
        You are signed in as {email}. Operators see the <Anchor href="/jobs/">job dashboard</Anchor>; what
        belongs to a merchant is open to its own users.
      </Text>
      <Button variant="default" onClick={signOut}>
        Sign out
      </Button>
    </CenteredPage>
  );
}
