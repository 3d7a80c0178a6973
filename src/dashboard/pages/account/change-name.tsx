import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from 'urql';
import { sent, textOf } from '../../parts/form.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { changeNameMutation } from './account-query.ts';

/** What others of the merchant read in the list of users and the audit log. */
export function ChangeName({ name }: { name: string }) {
  const [{ fetching }, change] = useMutation(changeNameMutation);
  const { form: ref, refusal, faults, take } = useOutcome(['name']);
  const submit = sent(async (form) => take(await change({ input: { name: textOf(form, 'name') } })));
  return (
    <form onSubmit={submit} ref={ref}>
      <Group mt="md" maw={420} align="flex-end" gap="xs">
        <TextInput
          label="Name"
          description="Others of your team see it"
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
