import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { fillText } from '../../../language/fill-text.ts';
import { CodeInput } from '../../components/code-input.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, getText, handleSubmit } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { HiddenUserName, NewPasswordField, PasswordField } from '../../components/password-fields.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { TwoLines } from '../../components/two-lines.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { getErrorMessage } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import {
  type AccountViewer,
  accountQuery,
  changePasswordMutation,
  disableTwoFactorMutation,
  regenerateRecoveryCodesMutation,
  updateViewerMutation,
} from './account-query.ts';
import { ChangeEmail } from './change-email.tsx';
import { Notices } from './notices.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Sessions } from './sessions.tsx';
import { SetUpTwoFactor } from './set-up-two-factor.tsx';

export default function AccountPage() {
  const query = useCachedQuery(accountQuery);
  return (
    <>
      <PageHeader title={t.account.yourAccount} text={t.account.yourSignInDetails} />
      <Loaded query={{ ...query, data: query.data?.viewer ?? undefined }} lines={8}>
        {(me) => (
          <Stack gap="lg">
            <Section title={t.account.profile}>
              <Facts
                facts={[
                  [t.common.email, me.user.email],
                  [
                    t.account.role,
                    <TwoLines key="role" below={roleTexts[me.user.role].text}>
                      {roleTexts[me.user.role].name}
                    </TwoLines>,
                  ],
                ]}
              />
              {me.pendingEmail !== null && (
                <Alert color="amber" variant="light" mt="md">
                  {fillText(t.account.toConfirmOpenTheLink, { email: me.pendingEmail })}
                </Alert>
              )}
              <ChangeName name={me.user.name} />
              <ChangeEmail me={me} onChanged={query.refresh} />
            </Section>
            <Section title={t.common.password}>
              <ChangePassword
                hasTwoFactor={me.user.hasTwoFactor === true}
                email={me.user.email}
                onChanged={query.refresh}
              />
            </Section>
            <TwoFactorSection me={me} onChanged={query.refresh} />
            {me.noticeSettings.length > 0 && <Notices me={me} onChanged={query.refresh} />}
            <Sessions sessions={me.sessions} onChanged={query.refresh} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Other users of the merchant see the name in the user list and the audit log. */
function ChangeName({ name }: { name: string | null }) {
  const [{ fetching }, change] = useMutation(updateViewerMutation);
  const { formRef: ref, error, fieldErrors, handleResult } = useFormState(['name']);
  const submit = handleSubmit(async (form) =>
    handleResult(await change({ input: { name: getText(form, 'name') || null } })),
  );
  return (
    <form onSubmit={submit} ref={ref}>
      <Group mt="md" maw={420} align="flex-end" gap="xs">
        <TextInput
          label={t.common.personName}
          description={t.common.visibleToYourTeam}
          name="name"
          autoComplete="name"
          maxLength={80}
          defaultValue={name ?? ''}
          error={fieldErrors.name ?? error}
          flex="1 1 12rem"
        />
        <Button type="submit" variant="default" loading={fetching}>
          {t.account.saveName}
        </Button>
      </Group>
    </form>
  );
}

function ChangePassword(props: { hasTwoFactor: boolean; email: string; onChanged: () => void }) {
  const { hasTwoFactor, email, onChanged } = props;
  const [{ fetching }, change] = useMutation(changePasswordMutation);
  const formState = useFormState(['newPassword']);
  const [isDone, setDone] = useState(false);

  const submit = async (form: FormData) => {
    const getValue = (name: string) => String(form.get(name) ?? '');
    const code = hasTwoFactor ? getValue('code') : null;
    const input = { password: getValue('password'), newPassword: getValue('newPassword'), code };
    const isChanged = formState.handleResult(await change({ input }));
    setDone(isChanged);
    if (!isChanged) return;
    formState.formRef.current?.reset();
    onChanged();
  };

  return (
    <Form state={formState} onSubmit={submit} maw={420}>
      {isDone && (
        <Alert color="teal" variant="light" role="status">
          {t.account.passwordChangedYouWere}
        </Alert>
      )}
      <HiddenUserName email={email} />
      <PasswordField label={t.account.currentPassword} />
      <NewPasswordField
        label={t.account.newPassword}
        name="newPassword"
        error={formState.fieldErrors.newPassword}
      />
      {hasTwoFactor && <CodeInput isFirst={false} />}
      <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
        {t.account.changePassword}
      </Button>
    </Form>
  );
}

function TwoFactorSection({ me, onChanged }: { me: AccountViewer; onChanged: () => void }) {
  const { hasTwoFactor, email } = me.user;
  const [codes, setCodes] = useState<readonly string[]>();
  const handleCodesClosed = () => {
    setCodes(undefined);
    onChanged();
  };
  return (
    <Section
      title={t.account.twoFactorAuthentication}
      aside={<StatusBadge status={hasTwoFactor ? 'two_factor_enabled' : 'two_factor_disabled'} />}
    >
      <Stack align="flex-start">
        <Text size="sm">{hasTwoFactor ? t.account.youSignInWith : t.account.protectsYourAccountEven}</Text>
        {hasTwoFactor && (
          <Text
            size="sm"
            c={me.remainingRecoveryCodeCount < 3 ? 'var(--causeway-warn-ink)' : 'var(--causeway-muted)'}
          >
            {me.remainingRecoveryCodeCount === 0
              ? t.account.noRecoveryCodesAre
              : pluralize(me.remainingRecoveryCodeCount, t.account.recoveryCodeCount)}
          </Text>
        )}
        <Group gap="sm">
          <SetUpTwoFactor isEnabled={hasTwoFactor === true} email={email} onCodes={setCodes} />
          {hasTwoFactor && <RegenerateRecoveryCodes onCodes={setCodes} />}
          {hasTwoFactor && <TurnOffTwoFactor onChanged={onChanged} />}
        </Group>
      </Stack>
      <RecoveryCodes codes={codes} email={email} onClose={handleCodesClosed} />
    </Section>
  );
}

function RegenerateRecoveryCodes({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [, renew] = useMutation(regenerateRecoveryCodesMutation);
  return (
    <ConfirmButton
      label={t.account.createRecoveryCodes}
      title={t.account.createNewRecoveryCodes}
      confirmLabel={t.account.createCodes}
      variant="default"
      onConfirm={async (form) => {
        const result = await renew({ input: { code: String(form.get('code')) } });
        const payload = result.data?.regenerateRecoveryCodes;
        if (payload?.__typename === 'RegenerateRecoveryCodesSuccess') onCodes(payload.recoveryCodes);
        return getErrorMessage(result);
      }}
    >
      <Text size="sm">{t.account.yourCurrentRecoveryCodes}</Text>
      <CodeInput />
    </ConfirmButton>
  );
}

function TurnOffTwoFactor({ onChanged }: { onChanged: () => void }) {
  const disable = useMutationAction(disableTwoFactorMutation, onChanged);
  return (
    <ConfirmButton
      label={t.account.turnOff}
      title={t.account.turnOffTwoFactor}
      isDanger
      variant="default"
      onConfirm={(form) =>
        disable({ input: { password: String(form.get('password')), code: String(form.get('code')) } })
      }
    >
      <Text size="sm">{t.account.anyoneWithYourPassword}</Text>
      <PasswordField isFirst />
      <CodeInput isFirst={false} />
    </ConfirmButton>
  );
}
