import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutation } from 'urql';
import { Refused } from '../../parts/refused.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { MakeLinkDialog } from '../checkout-terms/make-link-dialog.tsx';
import { firstChoices, readTerms, textOf } from '../checkout-terms/read-terms.ts';
import { TermsFields, termsFields } from '../checkout-terms/terms-fields.tsx';
import { createCheckoutLinkMutation } from './checkout-links-query.ts';

const fields = [...termsFields, 'usesLimit'];

/** The dialog that makes a link, and then shows it. */
export function NewCheckoutLink(props: { opened: boolean; onClose: () => void; onMade: () => void }) {
  const titles = { before: 'New checkout link', after: 'The link is ready' };
  return <MakeLinkDialog {...props} titles={titles} form={(made) => <Form onMade={made} />} />;
}

function Form({ onMade }: { onMade: (url: string) => void }) {
  const [{ fetching }, create] = useMutation(createCheckoutLinkMutation);
  const [choices, setChoices] = useState(firstChoices);
  const { form: ref, refusal, faults, take } = useOutcome(fields);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const { methods } = choices;
    const usesLimit = textOf(form, 'usesLimit');
    const outcome = await create({
      input: {
        ...readTerms(form, choices),
        ...(methods.length > 0 && { paymentMethods: methods }),
        ...(usesLimit && { usesLimit: Number(usesLimit) }),
      },
    });
    take(outcome);
    const result = outcome.data?.createCheckoutLink;
    if (result?.__typename === 'CreateCheckoutLinkSuccess') onMade(result.checkoutLink.url);
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
        <NumberInput
          label="Charges at most"
          description="Empty: any number"
          name="usesLimit"
          min={1}
          max={1_000_000}
          allowDecimal={false}
          error={faults.usesLimit}
        />
        <Group justify="space-between" gap="sm">
          <Text size="xs" c="var(--causeway-muted)">
            It stays open until you close it.
          </Text>
          <Button type="submit" loading={fetching}>
            Make link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
