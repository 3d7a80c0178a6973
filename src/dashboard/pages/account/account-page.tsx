import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { Form, sent, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { HiddenUserName, NewPasswordField, PasswordField } from '../../components/password-fields.tsx';
import { roleTexts } from '../../components/role-texts.ts';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { useOutcome } from '../../components/use-outcome.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import {
  accountQuery,
  changeNameMutation,
  changePasswordMutation,
  disableMutation,
  type Me,
  renewMutation,
} from './account-query.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Sessions } from './sessions.tsx';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

/** How one signs in oneself, and where one is signed in. */
export default function AccountPage() {
  const read = useRead(accountQuery);
  return (
    <>
      <PageHeader title="Your account" text="Your sign-in details and active sessions." />
      <Loaded read={{ ...read, data: read.data?.viewer ?? undefined }} lines={8}>
        {(me) => (
          <Stack gap="lg">
            <Section title="Profile">
              <Facts
                facts={[
                  ['Email', me.user.email],
                  ['Role', `${roleTexts[me.user.role].name}: ${roleTexts[me.user.role].text}`],
                ]}
              />
              <ChangeName key={me.user.name} name={me.user.name} />
            </Section>
            <Section title="Password">
              <ChangePassword
                hasSecondFactor={me.user.hasSecondFactor}
                email={me.user.email}
                onChanged={read.refresh}
              />
            </Section>
            <SecondFactor me={me} onChanged={read.refresh} />
            <Sessions sessions={me.sessions} onChanged={read.refresh} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** What others of the merchant read in the list of users and the audit log. */
function ChangeName({ name }: { name: string }) {
  const [{ fetching }, change] = useMutation(changeNameMutation);
  const { form: ref, refusal, faults, take } = useOutcome(['name']);
  const submit = sent(async (form) => take(await change({ input: { name: textOf(form, 'name') } })));
  return (
    <form onSubmit={submit} ref={ref}>
      <Group mt="md" maw={420} align="flex-end" gap="xs">
        <TextInput
          label="Name"
          description="Visible to your team"
          name="name"
          autoComplete="name"
          maxLength={80}
          defaultValue={name}
          error={faults.name ?? refusal}
          required
          withAsterisk={false}
          flex="1 1 12rem"
        />
        <Button type="submit" variant="default" loading={fetching}>
          Save name
        </Button>
      </Group>
    </form>
  );
}

function ChangePassword(props: { hasSecondFactor: boolean; email: string; onChanged: () => void }) {
  const { hasSecondFactor, email, onChanged } = props;
  const [{ fetching }, change] = useMutation(changePasswordMutation);
  const outcome = useOutcome(['newPassword']);
  const [isDone, setDone] = useState(false);

  const submit = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const code = hasSecondFactor ? text('code') : null;
    const input = { password: text('password'), newPassword: text('newPassword'), code };
    const isChanged = outcome.take(await change({ input }));
    setDone(isChanged);
    if (!isChanged) return;
    outcome.form.current?.reset();
    onChanged();
  };

  return (
    <Form outcome={outcome} onSubmit={submit} maw={420}>
      {isDone && (
        <Alert color="teal" variant="light" role="status">
          Password changed. You were signed out of all other sessions.
        </Alert>
      )}
      <HiddenUserName email={email} />
      <PasswordField label="Current password" />
      <NewPasswordField label="New password" name="newPassword" fault={outcome.faults.newPassword} />
      {hasSecondFactor && <CodeInput isFirst={false} />}
      <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
        Change password
      </Button>
    </Form>
  );
}

/** Turning the second factor on and off, and its recovery codes. */
function SecondFactor({ me, onChanged }: { me: Me; onChanged: () => void }) {
  const { hasSecondFactor, email } = me.user;
  const [codes, setCodes] = useState<readonly string[]>();
  const done = () => {
    setCodes(undefined);
    onChanged();
  };
  return (
    <Section
      title="Two-factor authentication"
      aside={<StatusBadge status={hasSecondFactor ? 'second_factor_on' : 'second_factor_off'} />}
    >
      <Stack align="flex-start">
        <Text size="sm">
          {hasSecondFactor
            ? 'You sign in with your password and a code from your authenticator app. Changing a live receiving account requires another code.'
            : 'Protects your account even if your password is stolen: signing in also requires a code from an authenticator app on your phone.'}
        </Text>
        {hasSecondFactor && (
          <Text size="sm" c={me.recoveryCodesLeft < 3 ? 'var(--causeway-warn-ink)' : 'var(--causeway-muted)'}>
            {me.recoveryCodesLeft === 0
              ? 'No recovery codes are left. Create new ones.'
              : `${me.recoveryCodesLeft} recovery ${me.recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`}
          </Text>
        )}
        <Group gap="sm">
          <SetUpSecondFactor isOn={hasSecondFactor} email={email} onCodes={setCodes} />
          {hasSecondFactor && <Renew onCodes={setCodes} />}
          {hasSecondFactor && <TurnOff onChanged={onChanged} />}
        </Group>
      </Stack>
      <RecoveryCodes codes={codes} email={email} onClose={done} />
    </Section>
  );
}

function Renew({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const [, renew] = useMutation(renewMutation);
  return (
    <ConfirmButton
      label="Create recovery codes"
      title="Create new recovery codes?"
      confirm="Create codes"
      variant="default"
      onConfirm={async (form) => {
        const outcome = await renew({ input: { code: String(form.get('code')) } });
        const answer = outcome.data?.renewRecoveryCodes;
        if (answer?.__typename === 'RenewRecoveryCodesSuccess') onCodes(answer.recoveryCodes);
        return refusalOf(outcome);
      }}
    >
      <Text size="sm">Your current recovery codes will stop working.</Text>
      <CodeInput />
    </ConfirmButton>
  );
}

function TurnOff({ onChanged }: { onChanged: () => void }) {
  const disable = useAct(disableMutation, onChanged);
  return (
    <ConfirmButton
      label="Turn off"
      title="Turn off two-factor authentication?"
      isDanger
      variant="default"
      onConfirm={(form) =>
        disable({ input: { password: String(form.get('password')), code: String(form.get('code')) } })
      }
    >
      <Text size="sm">Anyone with your password will be able to sign in.</Text>
      <PasswordField isFirst />
      <CodeInput isFirst={false} />
    </ConfirmButton>
  );
}
