import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { CodeInput } from '../../components/code-input.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, getText, SubmitButton } from '../../components/form.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Muted } from '../../components/muted.tsx';
import { PasswordField } from '../../components/password-fields.tsx';
import { useFormState } from '../../components/use-form-state.ts';
import { t } from '../../language/texts.ts';
import { type AccountViewer, changeEmailMutation } from './account-query.ts';

type ChangeEmailProps = { me: AccountViewer; onChanged: () => void };

export function ChangeEmail(props: ChangeEmailProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" mt="md" onClick={open}>
        {t.account.changeEmail}
      </Button>
      <Dialog opened={opened} onClose={close} title={t.account.changeEmail}>
        <EmailForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function EmailForm({ me, onChanged, onClose }: ChangeEmailProps & { onClose: () => void }) {
  const [{ fetching }, change] = useMutation(changeEmailMutation);
  const formState = useFormState(['email']);
  const submit = async (form: FormData) => {
    const code = me.user.hasTwoFactor ? getText(form, 'code') : null;
    const password = String(form.get('password') ?? '');
    const input = { email: getText(form, 'email'), password, code };
    if (!formState.handleResult(await change({ input }))) return;
    onClose();
    onChanged();
  };
  return (
    <Form state={formState} onSubmit={submit}>
      <Muted>
        {isMailDelivered ? t.account.weEmailALinkToTheNewAddress : t.account.youSignInWithTheNewAddress}
      </Muted>
      <TextInput
        label={t.account.newEmail}
        name="email"
        type="email"
        autoComplete="email"
        required
        withAsterisk={false}
        error={formState.fieldErrors.email}
        data-autofocus
      />
      <PasswordField label={t.account.currentPassword} />
      {me.user.hasTwoFactor && <CodeInput isFirst={false} />}
      <SubmitButton isBusy={fetching}>{t.account.changeEmail}</SubmitButton>
    </Form>
  );
}
