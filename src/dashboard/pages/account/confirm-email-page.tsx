import { Alert, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { Form, SubmitButton } from '../../components/form.tsx';
import { Link } from '../../components/link.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useTitle } from '../../components/use-title.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { CenteredPage } from '../../shell/centered-page.tsx';
import { useLinkToken } from '../sign-in/use-link-token.ts';
import { confirmEmailChangeMutation, pendingEmailQuery } from './account-query.ts';

/** The page that the link to confirm a new email address opens, for the user who requested it. */
export function ConfirmEmailPage({ onContinue }: { onContinue: () => void }) {
  useTitle(t.account.confirmNewEmail);
  const token = useLinkToken();
  const query = useCachedQuery(pendingEmailQuery);
  return (
    <CenteredPage>
      <Loaded query={query}>
        {({ viewer }) =>
          viewer?.pendingEmail ? (
            <ConfirmEmail email={viewer.pendingEmail} token={token} onContinue={onContinue} />
          ) : (
            <InvalidLink />
          )
        }
      </Loaded>
    </CenteredPage>
  );
}

function InvalidLink() {
  return (
    <>
      <Title order={1} size="h3">
        {t.account.thisLinkNoLongerWorks}
      </Title>
      <Alert color="amber" variant="light">
        {t.account.theLinkHasExpired}
      </Alert>
      <Text size="sm">
        <Link to="/account">{t.account.yourAccount}</Link>
      </Text>
    </>
  );
}

function ConfirmEmail({
  email,
  token,
  onContinue,
}: {
  email: string;
  token: string;
  onContinue: () => void;
}) {
  const [{ fetching }, confirm] = useMutation(confirmEmailChangeMutation);
  const formState = useFormState([]);
  const [state, setState] = useState<'open' | 'invalid' | 'confirmed'>('open');
  const submit = async () => {
    const result = await confirm({ input: { token } });
    const payload = result.data?.confirmEmailChange;
    if (payload && 'code' in payload && payload.code === 'link_invalid') setState('invalid');
    else if (formState.handleResult(result)) setState('confirmed');
  };
  if (state === 'invalid') return <InvalidLink />;
  if (state === 'confirmed')
    return (
      <>
        <Title order={1} size="h3">
          {t.account.yourEmailHasBeenChanged}
        </Title>
        <Text role="status">{fillText(t.account.youNowSignIn, { email })}</Text>
        <Button onClick={onContinue} fullWidth autoFocus>
          {t.common.continue}
        </Button>
      </>
    );
  return (
    <>
      <Title order={1} size="h3">
        {t.account.confirmNewEmail}
      </Title>
      <Form state={formState} onSubmit={submit}>
        <Text>{fillText(t.account.afterYouConfirm, { email })}</Text>
        <SubmitButton isBusy={fetching}>{t.account.confirmEmail}</SubmitButton>
      </Form>
    </>
  );
}
