import { Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { Empty } from '../../components/empty.tsx';
import { Submit, sent, textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Refused } from '../../components/refused.tsx';
import { Section } from '../../components/section.tsx';
import { useOutcome } from '../../components/use-outcome.ts';
import { capitalised } from '../../format/words.ts';
import type { Faults } from '../../graphql/refusal.ts';
import { useRead } from '../../graphql/use-read.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import { methodsContext } from '../payment-methods.ts';
import { LimitFields, limitFields, readLimits } from './limit-fields.tsx';
import {
  type AccountWay,
  accountWaysQuery,
  type CreateAccountInput,
  createAccountMutation,
} from './receiving-accounts-query.ts';

/** Adds an account: the fields change with the payment method, and with the way its account is given. */
export default function NewReceivingAccountPage() {
  const { mode } = useMode();
  const mayManage = useMay('manage');
  const read = useRead(accountWaysQuery);
  return (
    <>
      <BackLink to="/receiving-accounts">Receiving accounts</BackLink>
      <PageHeader
        title="New receiving account"
        text={
          mode === 'live'
            ? 'Customers will be asked to pay real money to this account. All owners will be notified by email.'
            : 'A test account for sandbox mode.'
        }
      />
      {mayManage ? (
        <Loaded read={read} lines={8}>
          {({ receivingAccountForms }) => <AccountForm ways={receivingAccountForms} />}
        </Loaded>
      ) : (
        <Empty title="Owners only">Only owners can add receiving accounts.</Empty>
      )}
    </>
  );
}

function AccountForm({ ways }: { ways: readonly AccountWay[] }) {
  const [{ fetching }, create] = useMutation(createAccountMutation);
  const [, go] = useLocation();
  const [way, setWay] = useState(ways[0] as AccountWay);
  const { form: ref, refusal, faults, read, take, say } = useOutcome(fieldsOf(way));
  const choose = (chosen: AccountWay | undefined) => {
    if (!chosen) return;
    setWay(chosen);
    say();
  };

  const submit = sent(async (form) => {
    const limits = read(() => readLimits(form, way.currency));
    if (!limits) return;
    const details = { [way.member]: readDetails(form, way) };
    const input = { ...limits, details, holder: textOf(form, 'holder') } as CreateAccountInput;
    const answer = await create({ input }, methodsContext);
    take(answer);
    const result = answer.data?.createReceivingAccount;
    if (result?.__typename === 'CreateReceivingAccountSuccess') {
      go(`/receiving-accounts/${result.receivingAccount.id}`);
    }
  });

  return (
    <form onSubmit={submit} ref={ref}>
      <Stack gap="lg" maw={720}>
        <Section title="Account details">
          <Stack>
            <WayChoice ways={ways} way={way} onChoose={choose} />
            <DetailsFields key={`${way.member} ${way.description}`} way={way} faults={faults} />
            <TextInput
              label="Holder"
              description="Shown to customers. Their bank may verify it."
              name="holder"
              required
              withAsterisk={false}
              error={faults.holder}
            />
          </Stack>
        </Section>
        <Section title="Limits and traffic">
          <LimitFields key={way.currency} currency={way.currency} faults={faults} />
        </Section>
        <Refused text={refusal} />
        <Submit isBusy={fetching}>Add account</Submit>
      </Stack>
    </form>
  );
}

/** Those that show what is wrong with them. */
function fieldsOf(way: AccountWay): string[] {
  return [...way.members.map(({ name }) => `details/${way.member}/${name}`), 'holder', ...limitFields];
}

/** The payment method, and where it has several ways to be paid, which of them. */
function WayChoice(props: {
  ways: readonly AccountWay[];
  way: AccountWay;
  onChoose: (way: AccountWay | undefined) => void;
}) {
  const { ways, way, onChoose } = props;
  const methods = [...new Map(ways.map((one) => [one.method, one])).values()];
  const same = ways.filter(({ method }) => method === way.method);
  return (
    <>
      <Select
        label="Payment method"
        description={`In ${way.currency}`}
        data={methods.map(({ method, methodName, country }) => ({
          value: method,
          label: `${methodName} · ${country}`,
        }))}
        value={way.method}
        onChange={(chosen) => onChoose(ways.find(({ method }) => method === chosen))}
        allowDeselect={false}
        searchable
      />
      {same.length > 1 ? (
        <Radio.Group
          label="Account type"
          value={way.description}
          onChange={(chosen) => onChoose(same.find(({ description }) => description === chosen))}
        >
          <Stack gap="xs" mt="xs">
            {same.map(({ description }) => (
              <Radio key={description} value={description} label={description} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm" c="var(--causeway-muted)">
          {way.description}
        </Text>
      )}
    </>
  );
}

type Member = AccountWay['members'][number];

/** What a scheme needs, one field a member, with what is wrong beside it. */
function DetailsFields({ way, faults }: { way: AccountWay; faults: Faults }) {
  return way.members.map((member) => {
    const { label, hint } = wordsOf(member);
    const common = {
      name: `details.${member.name}`,
      label,
      description: hint,
      required: member.required,
      withAsterisk: false,
      error: faults[`details/${way.member}/${member.name}`],
      autoComplete: 'off',
      spellCheck: false,
    };
    return member.isCode ? (
      <Textarea key={member.name} {...common} autosize minRows={3} placeholder="000201…" />
    ) : (
      <TextInput key={member.name} {...common} placeholder={member.example} />
    );
  });
}

/** `FPS identifier: 7 or 9 digits` is a name and how it looks; a long sentence is explained below a short name. */
function wordsOf({ description, required }: Member): { label: string; hint: string | undefined } {
  const [label = '', ...rest] = description.split(': ');
  const said = rest.join(': ');
  const hint = said === '' ? undefined : capitalised(said);
  return { label: required ? label : `${label} (optional)`, hint };
}

/** The filled-in members. */
function readDetails(form: FormData, way: AccountWay): Record<string, string> {
  const entries = way.members.map(({ name }) => [name, textOf(form, `details.${name}`)]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ''));
}
