import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { faultsOf, refusalOf } from '../../graphql/refusal.ts';
import { CodeInput } from '../../parts/code-input.tsx';
import { Refused } from '../../parts/refused.tsx';
import { changePasswordMutation } from './account-query.ts';

export function ChangePassword(props: { hasSecondFactor: boolean; email: string; onChanged: () => void }) {
  const { hasSecondFactor, email, onChanged } = props;
  const [{ fetching }, change] = useMutation(changePasswordMutation);
  const [refusal, setRefusal] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isDone, setDone] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const text = (name: string) => String(form.get(name) ?? '');
    const code = hasSecondFactor ? text('code') : null;
    const input = { password: text('password'), newPassword: text('newPassword'), code };
    const outcome = await change({ input });
    const wrong = faultsOf(outcome.data).newPassword;
    const refused = refusalOf(outcome);
    setFault(wrong);
    setRefusal(wrong === undefined ? refused : undefined);
    setDone(refused === undefined);
    if (refused !== undefined) return;
    element.reset();
    onChanged();
  };

  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Refused text={refusal} />
        {isDone && (
          <Alert color="teal" variant="light" role="status">
            Your password is changed. Everywhere else you are signed out.
          </Alert>
        )}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <PasswordInput
          label="Present password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
        <PasswordInput
          label="New password"
          name="newPassword"
          description="At least 12 characters; a few words in a row are good."
          autoComplete="new-password"
          minLength={12}
          error={fault}
          required
          withAsterisk={false}
        />
        {hasSecondFactor && <CodeInput isFirst={false} />}
        <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
          Change the password
        </Button>
      </Stack>
    </form>
  );
}
