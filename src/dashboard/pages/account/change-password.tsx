import { Alert, Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../parts/code-input.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { changePasswordMutation } from './account-query.ts';

export function ChangePassword(props: { hasSecondFactor: boolean; email: string; onChanged: () => void }) {
  const { hasSecondFactor, email, onChanged } = props;
  const [{ fetching }, change] = useMutation(changePasswordMutation);
  const { form: ref, refusal, faults, take } = useOutcome(['newPassword']);
  const [isDone, setDone] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const text = (name: string) => String(form.get(name) ?? '');
    const code = hasSecondFactor ? text('code') : null;
    const input = { password: text('password'), newPassword: text('newPassword'), code };
    const isChanged = take(await change({ input }));
    setDone(isChanged);
    if (!isChanged) return;
    element.reset();
    onChanged();
  };

  return (
    <form onSubmit={submit} ref={ref}>
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
          error={faults.newPassword}
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
