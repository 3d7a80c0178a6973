import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { CodeInput } from '../../parts/code-input.tsx';
import { Form } from '../../parts/form.tsx';
import { HiddenUserName, NewPasswordField, PasswordField } from '../../parts/password-fields.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { changePasswordMutation } from './account-query.ts';

export function ChangePassword(props: { hasSecondFactor: boolean; email: string; onChanged: () => void }) {
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
          Your password is changed. Everywhere else you are signed out.
        </Alert>
      )}
      <HiddenUserName email={email} />
      <PasswordField label="Present password" />
      <NewPasswordField label="New password" name="newPassword" fault={outcome.faults.newPassword} />
      {hasSecondFactor && <CodeInput isFirst={false} />}
      <Button type="submit" loading={fetching} style={{ alignSelf: 'flex-start' }}>
        Change the password
      </Button>
    </Form>
  );
}
