import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { plainWhole, readAs } from '../../format/written-number.ts';
import { useMethodName } from '../payment-methods.ts';
import type { Settings, SettingsInput } from './settings-query.ts';

type Window = Settings['paymentWindows'][number];
type WindowInput = NonNullable<SettingsInput['paymentWindows']>[number];

const prefix = 'window-';

/** How long a charge waits, a field a method; an empty one keeps the method's usual time. */
export function PaymentWindows(props: { windows: readonly Window[]; fault: string | undefined }) {
  const { windows, fault } = props;
  const methodName = useMethodName();
  return (
    <Stack>
      <Text size="sm" c="var(--causeway-muted)">
        How many minutes a charge waits for its money, from 5 to 43,200 (30 days). Empty: the usual time of
        the method. A receiving account’s own time goes before it.
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} style={{ alignItems: 'end' }}>
        {windows.map(({ method, minutes, isOwn }) => (
          <TextInput
            key={method}
            label={methodName(method)}
            name={prefix + method}
            inputMode="numeric"
            defaultValue={isOwn ? String(minutes) : ''}
            placeholder={isOwn ? '' : `${minutes}`}
          />
        ))}
      </SimpleGrid>
      {fault !== undefined && (
        <Text size="sm" c="var(--causeway-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

/** The windows that were written. Error: `Unclear`. */
export function readWindows(form: FormData): WindowInput[] {
  return [...form].flatMap(([name, value]) => {
    const text = String(value).trim();
    if (!name.startsWith(prefix) || text === '') return [];
    const method = name.slice(prefix.length) as WindowInput['method'];
    return [{ method, minutes: readAs('paymentWindows', () => plainWhole(text)) }];
  });
}
