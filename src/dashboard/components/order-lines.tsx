import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { createEmptyLine, type OrderLineFields } from './order-line.ts';

type OrderLinesProps = {
  lines: readonly OrderLineFields[];
  error: string | undefined;
  description: string;
  onChange: (lines: OrderLineFields[]) => void;
};

/** Edits order items; each part of a line is optional. */
export function OrderLines({ lines, error, description, onChange }: OrderLinesProps) {
  const change = (key: number, changes: Partial<OrderLineFields>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...changes } : line)));
  const add = () => {
    const key = 1 + Math.max(-1, ...lines.map((line) => line.key));
    onChange([...lines, createEmptyLine(key)]);
  };
  return (
    <Input.Wrapper labelElement="div" label="Items" description={description} error={error}>
      <Stack gap="xs" mt="xs">
        {lines.map((line, i) => (
          <Group key={line.key} gap="xs" align="flex-end">
            <TextInput
              aria-label={`Name of item ${i + 1}`}
              placeholder="Name"
              value={line.name}
              onChange={(event) => change(line.key, { name: event.currentTarget.value })}
              flex="3 1 9rem"
            />
            <TextInput
              aria-label={`Quantity of item ${i + 1}`}
              placeholder="Quantity"
              inputMode="numeric"
              value={line.quantity}
              onChange={(event) => change(line.key, { quantity: event.currentTarget.value })}
              flex="1 1 5rem"
            />
            <TextInput
              aria-label={`Amount of item ${i + 1}`}
              placeholder="Amount"
              inputMode="decimal"
              value={line.amount}
              onChange={(event) => change(line.key, { amount: event.currentTarget.value })}
              flex="1 1 5rem"
            />
            <Button
              variant="subtle"
              color="red"
              aria-label={`Remove item ${i + 1}`}
              onClick={() => onChange(lines.filter(({ key }) => key !== line.key))}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add}>
            Add item
          </Button>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}
