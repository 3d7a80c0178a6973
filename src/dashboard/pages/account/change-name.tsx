import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { faultsOf, refusalOf } from '../../graphql/refusal.ts';
import { changeNameMutation } from './account-query.ts';

/** What others of the merchant read in the list of users and the audit log. */
export function ChangeName({ name }: { name: string }) {
  const [{ fetching }, change] = useMutation(changeNameMutation);
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const outcome = await change({ input: { name: String(form.get('name') ?? '') } });
    setFault(faultsOf(outcome.data).name ?? refusalOf(outcome));
  };
  return (
    <form onSubmit={submit}>
      <Group mt="md" maw={420} align="flex-end" gap="xs">
        <TextInput
          label="Name"
          description="Others of your team see it"
          name="name"
          autoComplete="name"
          maxLength={80}
          defaultValue={name}
          error={fault}
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
