import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { Form, numberOf, Submit } from '../../parts/form.tsx';
import { MadeLink } from '../../parts/made-link.tsx';
import { MakeDialog } from '../../parts/make-dialog.tsx';
import { Quiet } from '../../parts/quiet.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { firstChoices, readTerms } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';
import { createCheckoutLinkMutation } from './checkout-links-query.ts';

const fields = [...termsFields, 'usesLimit'];

/** The dialog that makes a link, and then shows it. */
export function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  return (
    <MakeDialog<string>
      {...props}
      title="New checkout link"
      madeTitle="The link is ready"
      size="lg"
      form={(made) => <CheckoutLinkForm onMade={made} />}
    >
      {(url, close) => <MadeLink url={url} onClose={close} />}
    </MakeDialog>
  );
}

function CheckoutLinkForm({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, setChoices] = useState(firstChoices);
  const outcome = useOutcome(fields);

  const submit = async (form: FormData) => {
    const terms = outcome.read(() => readTerms(form, choices));
    if (!terms) return;
    const { methods } = choices;
    const usesLimit = numberOf(form, 'usesLimit');
    const answer = await create({
      input: {
        ...terms,
        ...(methods.length > 0 && { paymentMethods: methods }),
        ...(usesLimit !== null && { usesLimit }),
      },
    });
    outcome.take(answer);
    const result = answer.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onMade(result.checkoutLink.url);
  };

  return (
    <Form outcome={outcome} onSubmit={submit}>
      <TermsFields
        choices={choices}
        choose={(change) => setChoices((current) => ({ ...current, ...change }))}
        faults={outcome.faults}
      />
      <NumberInput
        label="Charges at most"
        description="Open or paid at a time. Empty: any number. Customer details are filled in only with 1."
        name="usesLimit"
        min={1}
        max={1_000_000}
        allowDecimal={false}
        error={outcome.faults.usesLimit}
      />
      <Submit isBusy={fetching} beside={<Quiet>It stays open until you close it.</Quiet>}>
        Make link
      </Submit>
    </Form>
  );
}
