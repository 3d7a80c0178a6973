import { Button, Group, Modal, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import { Refused } from '../../parts/refused.tsx';
import { useProvenMutation } from '../../parts/second-factor-proof.tsx';
import { useOutcome } from '../../parts/use-outcome.ts';
import { readTerms, TermsFields, unreadableTerms, wholeOrNull } from './account-terms.tsx';
import { type AccountDetails, updateAccountMutation } from './receiving-accounts-query.ts';

/** Those that show what is wrong with them. */
const fields = [
  'holder',
  'bank',
  'minAmount',
  'maxAmount',
  'windowMinutes',
  'weight',
  'uniqueAmountsMax',
  'timeZone',
];

type Props = { opened: boolean; account: AccountDetails; onClose: () => void; onSaved: () => void };

/** The dialog that changes what may be changed of an account; its number may not. */
export function AccountForm({ opened, account, onClose, onSaved }: Props) {
  const saved = () => {
    onSaved();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Change terms" size="lg" centered>
      <Form account={account} onSaved={saved} />
    </Modal>
  );
}

function Form({ account, onSaved }: { account: AccountDetails; onSaved: () => void }) {
  const [{ fetching }, update] = useProvenMutation(updateAccountMutation);
  const [timeZone, setTimeZone] = useState<string | null>(account.timeZone);
  const { form: ref, refusal, faults, take, say } = useOutcome(fields);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const unreadable = unreadableTerms(form);
    if (Object.keys(unreadable).length > 0) return say({ faults: unreadable });
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const unique = account.carriesReference
      ? {}
      : { uniqueAmountsMax: wholeOrNull(text('uniqueAmountsMax')) };
    const input = {
      id: account.id,
      holder: text('holder'),
      bank: text('bank'),
      timeZone,
      ...readTerms(form),
    };
    const outcome = await update({ input: { ...input, ...unique } });
    if (take(outcome)) onSaved();
  };
  return (
    <form onSubmit={submit} ref={ref}>
      <Stack>
        <Refused text={refusal} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput
            label="Holder"
            name="holder"
            defaultValue={account.holder}
            error={faults.holder}
            data-autofocus
          />
          <TextInput label="Bank or wallet" name="bank" defaultValue={account.bank} error={faults.bank} />
        </SimpleGrid>
        <TermsFields currency={account.currency} terms={account} faults={faults} />
        {!account.carriesReference && (
          <NumberInput
            label="Unique amounts"
            description={`Payments carry no reference: add at most so many whole ${account.currency} to tell them apart. Empty: off.`}
            name="uniqueAmountsMax"
            min={1}
            max={999}
            placeholder="Off"
            defaultValue={account.uniqueAmountsMax ?? ''}
            error={faults.uniqueAmountsMax}
          />
        )}
        <TimeZone value={timeZone} onChange={setTimeZone} fault={faults.timeZone} />
        <Group justify="flex-end">
          <Button type="submit" loading={fetching}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TimeZone(props: {
  value: string | null;
  onChange: (zone: string | null) => void;
  fault: string | undefined;
}) {
  const zones = useMemo(
    () =>
      Intl.supportedValuesOf('timeZone').map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    [],
  );
  return (
    <Select
      label="Time zone"
      description="Of its days, for transfers that carry only a date"
      error={props.fault}
      searchable
      allowDeselect={false}
      data={zones}
      value={props.value}
      onChange={props.onChange}
      limit={60}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
