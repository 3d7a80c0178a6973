import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, Submit } from '../../parts/form.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { createMerchantMutation } from './merchants-query.ts';

export function NewMerchant() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button onClick={open}>New merchant</Button>
      <Dialog opened={opened} onClose={close} title="Open an account">
        <MerchantForm />
      </Dialog>
    </>
  );
}

function MerchantForm() {
  const [{ fetching }, create] = useMutation(createMerchantMutation);
  const [, go] = useLocation();
  const outcome = useOutcome(['name', 'ownerEmail']);
  const submit = async (form: FormData) => {
    const input = { name: String(form.get('name')), ownerEmail: String(form.get('ownerEmail')) };
    const answer = await create({ input });
    outcome.take(answer);
    const result = answer.data?.createMerchant;
    if (result?.__typename === 'CreateMerchantSuccess') go(`/merchants/${result.merchant.id}`);
  };
  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TextInput
        label="Name"
        name="name"
        description="What customers see"
        maxLength={140}
        error={outcome.faults.name}
        required
        withAsterisk={false}
        data-autofocus
      />
      <TextInput
        label="E-mail of the first owner"
        name="ownerEmail"
        type="email"
        error={outcome.faults.ownerEmail}
        required
        withAsterisk={false}
      />
      <Text size="sm" c="var(--causeway-muted)">
        They are invited by mail, set their password, and make the account’s keys.
      </Text>
      <Submit isBusy={fetching}>Open the account</Submit>
    </Form>
  );
}
