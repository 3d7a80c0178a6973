import { Combobox, Group, Text, TextInput, useCombobox } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Moment } from '../../components/moment.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { formatAmount } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
import { useChargeSearch } from '../search/search-query.ts';
import type { ChargeRow } from './charge-row.ts';

/** Finds a charge by typing. Submits its ID as the form field `name`. Offers only charges in the currency. */
export function ChargePicker(props: {
  name: string;
  label: string;
  currency: string;
  suggestions?: readonly ChargeRow[];
  isFocused?: boolean;
}) {
  const { name, label, currency, suggestions = [], isFocused = false } = props;
  const [text, setText] = useState('');
  const [charge, setCharge] = useState<ChargeRow | null>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const { charges, isCurrent } = useChargeSearch(charge ? '' : text);
  const found = text.trim() === '' ? suggestions : (charges ?? []);
  const options = found.filter(({ customerCurrency }) => customerCurrency === currency);
  const { selectFirstOption } = combobox;
  const firstFoundId = text.trim() === '' ? undefined : options[0]?.id;
  // Enter chooses the first charge that was found.
  useEffect(() => {
    if (firstFoundId !== undefined) selectFirstOption();
  }, [firstFoundId, selectFirstOption]);
  const choose = (id: string) => {
    const chosen = options.find((option) => option.id === id);
    if (!chosen) return;
    setCharge(chosen);
    setText(`${formatPayer(chosen)}, ${formatAmount(chosen.customerAmount, chosen.customerCurrency)}`);
    combobox.closeDropdown();
  };
  return (
    <>
      <input type="hidden" name={name} value={charge?.id ?? ''} />
      <Combobox store={combobox} onOptionSubmit={choose} withinPortal>
        <Combobox.Target>
          <TextInput
            label={label}
            value={text}
            placeholder="Name, email, amount, order ID or reference"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setCharge(null);
              combobox.openDropdown();
            }}
            onClick={() => combobox.openDropdown()}
            onBlur={() => combobox.closeDropdown()}
            {...(isFocused && { 'data-autofocus': true })}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={charge !== null || (text.trim() === '' && options.length === 0)}>
          <Combobox.Options mah={260} style={{ overflowY: 'auto' }} aria-label="Charges">
            {options.map((option) => (
              <Combobox.Option value={option.id} key={option.id}>
                <ChargeOption charge={option} />
              </Combobox.Option>
            ))}
            {options.length === 0 && (
              <Combobox.Empty>{isCurrent ? `No charge in ${currency} found` : 'Searching…'}</Combobox.Empty>
            )}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
    </>
  );
}

function ChargeOption({ charge }: { charge: ChargeRow }) {
  return (
    <Group justify="space-between" gap="xs">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={600} truncate>
          {formatPayer(charge)}
        </Text>
        <Text size="xs" c="var(--causeway-muted)" truncate>
          {charge.email} · <Moment at={charge.createdAt} />
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap">
        <Amount value={charge.customerAmount} currency={charge.customerCurrency} />
        <StatusBadge status={charge.status} />
      </Group>
    </Group>
  );
}
