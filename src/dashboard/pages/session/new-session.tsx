import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form, Submit, textOf } from '../../parts/form.tsx';
import { MadeLink } from '../../parts/made-link.tsx';
import { MakeDialog } from '../../parts/make-dialog.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { firstChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';
import { createSessionMutation } from './sessions-query.ts';

const fields = [...termsFields, 'notifyUrl'];

/** The dialog that makes a session, and then shows the address to send to its customer. */
export function NewSession(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  return (
    <MakeDialog<string>
      {...props}
      title="New session"
      madeTitle="The session is ready"
      size="lg"
      form={(made) => <SessionForm onMade={made} />}
    >
      {(url, close) => <MadeLink url={url} onClose={close} />}
    </MakeDialog>
  );
}

function SessionForm({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createSessionMutation);
  const [choices, setChoices] = useState(firstChoices);
  const outcome = useOutcome(fields);

  const submit = async (form: FormData) => {
    const terms = outcome.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const notifyUrl = textOf(form, 'notifyUrl');
    const answer = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { methods }),
        ...(notifyUrl && { notifyUrl }),
      },
    });
    outcome.take(answer);
    const result = answer.data?.createSession;
    if (result?.__typename === 'CreateSessionSuccess') onMade(result.session.checkoutUrl);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TermsFields
        choices={choices}
        choose={(change) => setChoices((current) => ({ ...current, ...change }))}
        faults={outcome.faults}
      />
      <TextInput
        label="Callback to"
        description="An address that is told when it is paid"
        name="notifyUrl"
        type="url"
        error={outcome.faults.notifyUrl}
      />
      <Submit isBusy={fetching} beside={<Quiet>One customer pays by it, once, within 7 days.</Quiet>}>
        Make session
      </Submit>
    </Form>
  );
}
