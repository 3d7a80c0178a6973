import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { useTitle } from '../../components/use-title.ts';
import { t } from '../../language/texts.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { type SignOut, useSignOut } from '../../shell/use-sign-out.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';

/** The only page for users who must set up two-factor authentication, because their merchant requires it. */
export function TwoFactorSetupPage(props: { email: string; onEnabled: () => void; signOut: SignOut }) {
  const { email, onEnabled } = props;
  const title = t.account.setUpTwoFactor;
  useTitle(title);
  const { signOut, error: signOutError } = useSignOut(props.signOut);
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <CenteredPage>
      <Title order={1} size="h3">
        {title}
      </Title>
      <Text>{t.account.anOwnerOfThis}</Text>
      <ErrorAlert text={signOutError} />
      <Group justify="space-between">
        <Button variant="subtle" onClick={signOut}>
          {t.account.signOut}
        </Button>
        <SetUpTwoFactor isEnabled={false} email={email} onCodes={setCodes} />
      </Group>
      <RecoveryCodes codes={codes} email={email} onClose={onEnabled} />
    </CenteredPage>
  );
}
