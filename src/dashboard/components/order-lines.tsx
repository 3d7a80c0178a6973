import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { fillText } from '../../language/fill-text.ts';
import { t } from '../language/texts.ts';
import { createEmptyLine, type OrderLineFields } from './order-line.ts';

type OrderLinesProps = {
  lines: readonly OrderLineFields[];
  error: string | undefined;
  description: string;
  onChange: (lines: OrderLineFields[]) => void;
};

/** Each part of a line is optional. */
export function OrderLines({ lines, error, description, onChange }: OrderLinesProps) {
  const change = (key: number, changes: Partial<OrderLineFields>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changes } : line)));
  const add = () => {
    const key = 1 + Math.max(-1, ...lines.map((line) => line.key));
    onChange([...lines, createEmptyLine(key)]);
  };
  return (
    <Input.Wrapper labelElement="div" label={t.common.items} description={description} error={error}>
      <Stack gap="xs" mt="xs">
        {lines.map((line, i) => (
          <Group key={line.key} gap="xs" align="flex-end">
            <TextInput
              aria-label={fillText(t.components.nameOfItem, { number: i + 1 })}
              placeholder={t.common.name}
              value={line.name}
              onChange={(event) => change(line.key, { name: event.currentTarget.value })}
              flex="3 1 9rem"
            />
            <TextInput
              aria-label={fillText(t.components.quantityOfItem, { number: i + 1 })}
              placeholder={t.components.quantity}
              inputMode="numeric"
              value={line.quantity}
              onChange={(event) => change(line.key, { quantity: event.currentTarget.value })}
              flex="1 1 5rem"
            />
            <TextInput
              aria-label={fillText(t.components.amountOfItem, { number: i + 1 })}
              placeholder={t.common.amount}
              inputMode="decimal"
              value={line.amount}
              onChange={(event) => change(line.key, { amount: event.currentTarget.value })}
              flex="1 1 5rem"
            />
            <Button
              variant="subtle"
              color="red"
              aria-label={fillText(t.components.removeItem, { number: i + 1 })}
              onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
            >
              {t.common.remove}
            </Button>
          </Group>
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add}>
            {t.components.addItem}
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
