import { Button, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { Empty } from '../../parts/empty.tsx';
import { Link } from '../../parts/link.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useProvenMutation } from '../../parts/second-factor-proof.tsx';
import { Section } from '../../parts/section.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { readTerms, TermsFields, unreadableTerms } from './account-terms.tsx';
import { DetailsFields, readDetails } from './details-fields.tsx';
import {
  type AccountForm,
  type CreateAccountInput,
  changesMethods,
  createAccountMutation,
  formsQuery,
} from './receiving-accounts-query.ts';

/** Adds an account: the fields change with the payment method, and with the way its account is given. */
export default function NewReceivingAccountPage() {
  const { mode } = useMode();
  const mayManage = useMay('manage');
  const [{ data, error }, reload] = useQuery({ query: formsQuery, requestPolicy: 'cache-first' });
  return (
    <>
      <Link to="/receiving-accounts" size="sm">
        ‹ Receiving accounts
      </Link>
      <PageHeader
        title="New receiving account"
        text={
          mode === 'live'
            ? 'Customers will be asked to pay real money to it. Every owner is told by mail.'
            : 'For trying out, in sandbox mode.'
        }
      />
      {mayManage ? (
        <Loaded data={data} error={error} onRetry={() => reload({ requestPolicy: 'network-only' })} lines={8}>
          {({ receivingAccountForms }) => <Form forms={receivingAccountForms} />}
        </Loaded>
      ) : (
        <Empty title="For owners">Only an owner adds receiving accounts.</Empty>
      )}
    </>
  );
}

function Form({ forms }: { forms: readonly AccountForm[] }) {
  const [{ fetching }, create] = useProvenMutation(createAccountMutation);
  const [, go] = useLocation();
  const [form, setForm] = useState(forms[0] as AccountForm);
  const { form: ref, refusal, faults, take, say } = useOutcome(fieldsOf(form));
  const choose = (chosen: AccountForm | undefined) => {
    if (!chosen) return;
    setForm(chosen);
    say();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const unreadable = unreadableTerms(data);
    if (Object.keys(unreadable).length > 0) return say({ faults: unreadable });
    const details = { [form.member]: readDetails(form, data) };
    const holder = String(data.get('holder') ?? '').trim();
    const input = { ...readTerms(data), details, holder } as CreateAccountInput;
    const outcome = await create({ input }, changesMethods);
    take(outcome);
    const result = outcome.data?.createReceivingAccount;
    if (result?.__typename === 'CreateReceivingAccountSuccess') {
      go(`/receiving-accounts/${result.receivingAccount.id}`);
    }
  };

  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="lg" maw={720}>
        <Section title="The account">
          <Stack>
            <MethodChoice forms={forms} form={form} onChoose={choose} />
            <DetailsFields key={`${form.member} ${form.description}`} form={form} faults={faults} />
            <TextInput
              label="Holder"
              description="As customers see it; their bank may compare it"
              name="holder"
              required
              withAsterisk={false}
              error={faults.holder}
            />
          </Stack>
        </Section>
        <Section title="Limits and share">
          <TermsFields key={form.currency} currency={form.currency} faults={faults} />
        </Section>
        <Refused text={refusal} />
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Add account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Those that show what is wrong with them. */
function fieldsOf(form: AccountForm): string[] {
  return [
    ...form.members.map(({ name }) => `details/${form.member}/${name}`),
    ...['holder', 'minAmount', 'maxAmount', 'windowMinutes', 'weight'],
  ];
}

function MethodChoice(props: {
  forms: readonly AccountForm[];
  form: AccountForm;
  onChoose: (form: AccountForm | undefined) => void;
}) {
  const { forms, form, onChoose } = props;
  const methods = [...new Map(forms.map((one) => [one.method, one])).values()];
  const ways = forms.filter(({ method }) => method === form.method);
  return (
    <>
      <Select
        label="Payment method"
        description={`In ${form.currency}`}
        data={methods.map(({ method, methodName, country }) => ({
          value: method,
          label: `${methodName} · ${country}`,
        }))}
        value={form.method}
        onChange={(chosen) => onChoose(forms.find(({ method }) => method === chosen))}
        allowDeselect={false}
        searchable
      />
      {ways.length > 1 ? (
        <Radio.Group
          label="How it is paid"
          value={form.description}
          onChange={(chosen) => onChoose(ways.find(({ description }) => description === chosen))}
        >
          <Stack gap="xs" mt="xs">
            {ways.map(({ description }) => (
              <Radio key={description} value={description} label={description} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm" c="var(--causeway-muted)">
          {form.description}
        </Text>
      )}
    </>
  );
}
