import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { MakeLinkDialog } from '../checkout-terms/make-link-dialog.tsx';
import { firstChoices, readTerms, textOf } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';
import { createSessionMutation } from './sessions-query.ts';

const fields = [...termsFields, 'notifyUrl'];

/** The dialog that makes a session, and then shows the address to send to its customer. */
export function NewSession(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  const titles = { before: 'New session', after: 'The session is ready' };
  return <MakeLinkDialog {...props} titles={titles} form={(made) => <Form onMade={made} />} />;
}

function Form({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSessionMutation);
  const [choices, setChoices] = useState(firstChoices);
  const { form: ref, refusal, faults, take } = useOutcome(fields);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { methods } = choices;
    const notifyUrl = textOf(form, 'notifyUrl');
    const outcome = await create({
      input: {
        ...readTerms(form, choices),
        ...(methods.length > 0 && { methods }),
        ...(notifyUrl && { notifyUrl }),
      },
    });
    take(outcome);
    const result = outcome.data?.createSession;
    if (result?.__typename === 'CreateSessionSuccess') onMade(result.session.checkoutUrl);
  };

  return (
    <form onSubmit={submit} ref={ref}>
      <Stack>
        <Refused text={refusal} />
        <TermsFields
          choices={choices}
          choose={(change) => setChoices((current) => ({ ...current, ...change }))}
          faults={faults}
        />
        <TextInput
          label="Callback to"
          description="An address that is told when it is paid"
          name="notifyUrl"
          type="url"
          error={faults.notifyUrl}
        />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="var(--causeway-muted)">
            One customer pays by it, once, within 7 days.
          </Text>
          <Button type="submit" loading={fetching}>
            Make session
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
